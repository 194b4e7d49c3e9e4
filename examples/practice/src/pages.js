// The pages as HTML. Whatever is put into them is escaped, unless it is HTML that was made here.

/**
 * @typedef {import('@onward/client').Event} Event
 * @typedef {import('@onward/client').Referral} Referral
 * @typedef {import('@onward/client').Service} Service
 * @typedef {import('./store.js').KeptReferral} KeptReferral
 * @typedef {{ name: string, organisation: string }} User
 * @typedef {{ field?: string, message: string }} FieldError
 * @typedef {{ values?: Record<string, unknown>, errors?: FieldError[] }} Form
 */

/** HTML that was made here. */
class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/**
 * @param {TemplateStringsArray} parts
 * @param {unknown[]} values
 */
function html(parts, ...values) {
  return new Markup(parts.reduce((text, part, index) => text + shown(values[index - 1]) + part));
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function shown(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(shown).join('');
  if (value === undefined || value === null || value === false) return '';
  return String(value).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** @type {Record<string, string>} */
const statusWords = {
  draft: 'Draft',
  requested: 'Sent; the service has not answered yet',
  accepted: 'Accepted by the service',
  'in-progress': 'The person is being helped',
  'on-hold': 'Waiting for a place',
  completed: 'Completed',
  rejected: 'Declined by the service',
  failed: 'Ended without success',
  cancelled: 'Cancelled',
  'entered-in-error': 'Withdrawn: made in error',
  erased: 'The record was erased',
};

const moment = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  dateStyle: 'long',
  timeStyle: 'short',
});

/**
 * @param {string} title
 * @param {Markup} content
 * @param {User} [user]
 */
function layout(title, content, user) {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} – Practice</title>
  <link rel="stylesheet" href="/style.css">
  <link rel="icon" href="data:,">
</head>
<body>
  <header>
    <a href="/">Practice</a>
    ${
      user &&
      html`<p>${user.name}, ${user.organisation}</p>
    <form method="post" action="/sign-out"><button class="plain">Sign out</button></form>`
    }
  </header>
  <main>
    <h1>${title}</h1>
    ${content}
  </main>
</body>
</html>
`.text;
}

export function welcomePage() {
  return layout(
    'Refer people to local services',
    html`<p>You sign in with your account of the referral site, and come back here.</p>
    <p><a class="button" href="/sign-in">Sign in</a></p>`,
  );
}

/**
 * @param {string} title
 * @param {string} text
 */
export function messagePage(title, text) {
  return layout(title, html`<p>${text}</p><p><a href="/">Go to the first page</a></p>`);
}

/**
 * @param {User} user
 * @param {KeptReferral[]} referrals
 */
export function homePage(user, referrals) {
  const rows = referrals.map(
    ({ id, person, service, status }) => html`<tr>
      <td><a href="/referral?id=${id}">${person}</a></td><td>${service}</td><td>${statusWords[status] ?? status}</td>
    </tr>`,
  );
  return layout(
    'Your practice’s referrals',
    html`<p><a class="button" href="/find">Find a service</a></p>
    ${
      rows.length > 0
        ? html`<table>
      <thead><tr><th scope="col">Person</th><th scope="col">Service</th><th scope="col">Where it stands</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>`
        : html`<p>Nobody was referred with this app yet.</p>`
    }`,
    user,
  );
}

/**
 * @param {User} user
 * @param {Form} [form]
 */
export function findPage(user, form = {}) {
  return layout(
    'Find a service',
    html`${errorSummary(form)}
    <form method="post" action="/find">
      ${field(form, 'search', 'What does the person need?', { hint: 'In your own words, such as “lonely since her husband died”' })}
      ${field(form, 'postcode', 'Postcode (optional)', { hint: 'The nearest services come first' })}
      <button>Search</button>
    </form>`,
    user,
  );
}

/**
 * @param {User} user
 * @param {{ search: string, services: { id: string, name: string, description?: string | null | undefined }[] }} found
 */
export function resultsPage(user, { search, services }) {
  const items = services.map(
    ({ id, name, description }) => html`<li>
      <h2>${name}</h2>
      <p>${description}</p>
      <p><a href="/refer?service=${id}">Refer to ${name}</a></p>
    </li>`,
  );
  return layout(
    'Services',
    html`<p>For “${search}”. <a href="/find">Search again</a></p>
    ${items.length > 0 ? html`<ul class="results">${items}</ul>` : html`<p>No service was found.</p>`}`,
    user,
  );
}

/**
 * @param {User} user
 * @param {Form & { service: Pick<Service, 'id' | 'name'> }} form
 */
export function referPage(user, form) {
  const { service, values = {} } = form;
  return layout(
    `Refer to ${service.name}`,
    html`${errorSummary(form)}
    <form method="post" action="/refer">
      <input type="hidden" name="service" value="${service.id}">
      <input type="hidden" name="key" value="${values.key}">
      ${field(form, 'given_name', 'First name')}
      ${field(form, 'family_name', 'Last name')}
      ${field(form, 'birth_date', 'Date of birth', { type: 'date' })}
      ${field(form, 'nhs_number', 'NHS number (optional)')}
      ${field(form, 'address', 'First line of the address')}
      ${field(form, 'postcode', 'Postcode')}
      ${field(form, 'telephone', 'Telephone (optional)', { type: 'tel' })}
      ${field(form, 'reason', 'Why do you refer them?')}
      ${checkbox(form, 'agrees', 'The person agrees to be referred')}
      ${checkbox(form, 'share_with_gp', 'The person agrees that their GP practice is told')}
      <button>Refer</button>
    </form>`,
    user,
  );
}

/**
 * @param {User} user
 * @param {{ referral: Referral, person: string, events: Event[] }} shownHere
 */
export function referralPage(user, { referral, person, events }) {
  const { reference, status, status_reason: reason, service, next_date: nextDate } = referral;
  return layout(
    person || reference,
    html`<dl>
      <dt>Reference</dt><dd>${reference}</dd>
      <dt>Service</dt><dd>${service?.name}</dd>
      <dt>Where it stands</dt><dd>${reason?.code === 'died' ? 'Ended: the person has died' : (statusWords[status] ?? status)}</dd>
      ${reason?.text && html`<dt>Why</dt><dd>${reason.text}</dd>`}
      ${nextDate && html`<dt>Something happens by</dt><dd>${nextDate}</dd>`}
    </dl>
    <h2>What we were told</h2>
    ${
      events.length > 0
        ? html`<ul>${events.map(({ type, created_at }) => html`<li>${type}, ${moment.format(new Date(created_at))}</li>`)}</ul>`
        : html`<p>Nothing yet.</p>`
    }
    <p><a href="/">All referrals</a></p>`,
    user,
  );
}

/** @type {Record<string, string>} */
const labels = {
  search: 'What the person needs',
  given_name: 'First name',
  family_name: 'Last name',
  birth_date: 'Date of birth',
  nhs_number: 'NHS number',
  reason: 'Why you refer them',
  agrees: 'The person agrees',
  share_with_gp: 'The GP practice is told',
};

/** @param {Form} form */
function errorSummary({ errors = [] }) {
  if (errors.length === 0) return undefined;
  const items = errors.map(({ field: name, message }) => {
    const label = name && (labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1));
    return html`<li>${label && html`<a href="#${name}">${label}</a>: `}${message}</li>`;
  });
  return html`<div class="errors" role="alert"><h2>There is a problem</h2><ul>${items}</ul></div>`;
}

/**
 * @param {Form} form
 * @param {string} name
 * @param {string} label
 * @param {{ type?: string, hint?: string }} [options]
 */
function field({ values = {}, errors = [] }, name, label, { type = 'text', hint } = {}) {
  const isWrong = errors.some((error) => error.field === name);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint && html`<p id="${name}-hint" class="hint">${hint}</p>`}
    <input id="${name}" name="${name}" type="${type}" value="${values[name]}" autocomplete="off"
      ${hint && html`aria-describedby="${name}-hint"`} ${isWrong && html`aria-invalid="true"`}>
  </div>`;
}

/**
 * @param {Form} form
 * @param {string} name
 * @param {string} label
 */
function checkbox({ values = {} }, name, label) {
  return html`<div class="field">
    <input id="${name}" name="${name}" type="checkbox" ${name in values && html`checked`}>
    <label for="${name}">${label}</label>
  </div>`;
}
