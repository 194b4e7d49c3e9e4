// Made for Swagger UI 5, as @fastify/swagger-ui 6 brings it. It finds parts of its markup by `.execute`, `tr[data-param-name]` and the
// like: after an update, look first whether these are still there.
// The reference page: opens each call in a Swagger UI of its own, filters the list, and uses the visitor's key.
const tryItOut = document.getElementById('reference').dataset.tryItOut === 'true';
const operations = [...document.querySelectorAll('details[data-operation]')];
const opened = [];
let accessToken;
// The ETag of each thing that an answer was about, by the address of that thing: a change has to send it.
const etags = new Map();
// The calls in whose field for If-Match the visitor has typed something, and those in whose field for the id.
const typed = new Set();
const typedIds = new Set();
// The id in the latest answer about one thing, by the list that it is in, such as “/api/referrals/”.
const latestIds = new Map();

/**
 * Such as “/api/referrals/01a1…” for the address of that referral, or of anything about it.
 * @returns undefined for the address of a list, which has no version.
 */
function resourcePathOf(address) {
  const { pathname } = new URL(address, location.origin);
  return /^\/api\/(?:[\w-]+\/)+?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(pathname)?.[0];
}

/** The site makes the call to a webhook, so nobody can try it here. */
const canTry = (details) => tryItOut && details.dataset.webhook === undefined;

/** The box with the call for curl is what people copy into tickets and chats: it has no token. */
function hideToken() {
  const hidden = (request) =>
    request.hasIn(['headers', 'Authorization'])
      ? request.setIn(['headers', 'Authorization'], 'Bearer ona_…')
      : request;
  const withoutToken =
    (Curl, { React }) =>
    (props) =>
      React.createElement(Curl, { ...props, request: hidden(props.request) });
  return { wrapComponents: { curl: withoutToken } };
}

async function open(details) {
  const id = details.dataset.operation;
  if (details.dataset.opened) return;
  details.dataset.opened = 'true';
  const answer = await fetch(`/api/docs/${id}.json`);
  const ui = window.SwaggerUIBundle({
    spec: await answer.json(),
    domNode: details.querySelector('[data-swagger-ui]'),
    docExpansion: 'full',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    validatorUrl: null,
    tryItOutEnabled: canTry(details),
    supportedSubmitMethods: canTry(details) ? ['get', 'put', 'post', 'delete', 'patch'] : [],
    plugins: [hideToken],
    requestInterceptor: (request) => addKeyAndVersion(details, request),
    responseInterceptor: noteVersion,
    onComplete: () => {
      if (accessToken) ui.preauthorizeApiKey('access_token', accessToken);
    },
  });
  opened.push({ details, ui });
  whenFieldsAreDrawn(details, () => {
    fillId(details);
    fillVersion(details);
  });
}

/** Swagger UI draws its fields some time after it has read the document. */
function whenFieldsAreDrawn(details, fill) {
  const box = details.querySelector('[data-swagger-ui]');
  const observer = new MutationObserver(() => {
    if (!box.querySelector('tr[data-param-name] input')) return;
    observer.disconnect();
    fill();
  });
  observer.observe(box, { childList: true, subtree: true });
}

function addKeyAndVersion(details, request) {
  // The key may have been asked for after this call was opened.
  if (accessToken) request.headers.Authorization ??= `Bearer ${accessToken}`;
  const etag = etags.get(resourcePathOf(request.url));
  const header = Object.keys(request.headers).find((name) => name.toLowerCase() === 'if-match');
  if (header && etag && !typed.has(details)) request.headers[header] = etag;
  return request;
}

function noteVersion(response) {
  const { etag, location: made } = response.headers ?? {};
  const thing = resourcePathOf(response.status === 201 && made ? made : response.url);
  // A refusal may have the version that nobody has looked at yet.
  if (!response.ok || !thing) return response;
  const end = thing.lastIndexOf('/') + 1;
  latestIds.set(thing.slice(0, end), thing.slice(end));
  if (etag) etags.set(thing, etag);
  for (const { details } of opened) {
    fillId(details);
    fillVersion(details);
  }
  return response;
}

/** Shows in the field for the id that of the latest answer, unless the visitor has typed another. */
function fillId(details) {
  const field = details.querySelector('tr[data-param-name="id"] input');
  const path = details.querySelector('summary code').textContent;
  const id = latestIds.get(path.slice(0, Math.max(0, path.indexOf('{id}'))));
  if (field && id !== undefined && !typedIds.has(details)) fillIn(field, id);
}

/** Shows in the field for If-Match the version of what the call is about, unless the visitor has typed there. */
function fillVersion(details) {
  const field = details.querySelector('tr[data-param-name="if-match" i] input');
  if (!field || typed.has(details)) return;
  const path = details.querySelector('summary code').textContent;
  const etag = etags.get(resourcePathOf(path.replace('{id}', filledIn(details, 'id'))));
  if (etag !== undefined) fillIn(field, etag);
}

/** React listens to the setter of the element's class. Swagger UI takes what was typed 350 ms later, or when the field is left. */
function fillIn(field, text) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
}

const filledIn = (details, name) =>
  details.querySelector(`tr[data-param-name="${name}"] input`)?.value.trim() ?? '';

/** Notes what the visitor types: another thing, or a version. */
function noteTyping(details, { target, isTrusted }) {
  if (!isTrusted) return;
  if (target.closest('tr[data-param-name="id"]')) {
    if (target.value === '') typedIds.delete(details);
    else typedIds.add(details);
  }
  if (!target.closest('tr[data-param-name="if-match" i]')) fillVersion(details);
  else if (target.value === '') typed.delete(details);
  else typed.add(details);
}

/** Swagger UI only colours a field that must be filled in: says which it is. */
function sayWhatIsMissing(details, button) {
  let message = details.querySelector('[data-missing]');
  if (!message) {
    message = document.createElement('p');
    message.className = 'nhsuk-error-message';
    message.dataset.missing = '';
    message.setAttribute('role', 'alert');
  }
  const rows = [...details.querySelectorAll('tr[data-param-name]')].filter((row) =>
    row.querySelector('.invalid'),
  );
  const names = rows.map((row) => row.dataset.paramName);
  button.closest('.execute-wrapper, .btn-group').before(message);
  message.textContent = names.length === 0 ? '' : `Not sent. Fill in correctly: ${names.join(', ')}.`;
  rows[0]?.querySelector('input, select, textarea')?.focus();
}

for (const details of operations)
  details.addEventListener('click', ({ target }) => {
    const button = target.closest('.execute');
    // Swagger UI checks the fields in its own listener, and shows the result a moment later.
    if (button) setTimeout(() => sayWhatIsMissing(details, button), 100);
  });

for (const details of operations) details.addEventListener('input', (event) => noteTyping(details, event));

for (const details of operations)
  details.addEventListener('toggle', () => {
    if (details.open) open(details);
  });

/** An address that ends in #createReferral opens that call, and so does #/Referrals/createReferral. */
function openNamed() {
  const name = decodeURIComponent(location.hash.slice(1)).split('/').at(-1);
  const details = operations.find(({ dataset }) => dataset.operation === name);
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
}
addEventListener('hashchange', openNamed);
openNamed();

const filter = document.getElementById('filter');
const count = document.getElementById('filter-count');
filter.closest('form').hidden = false;
filter.closest('form').addEventListener('submit', (event) => event.preventDefault());
/** What can be found of a call: what the page says of it, its parameters, headers and fields, and the words in its name. */
const textOf = new Map(
  operations.map((details) => {
    const { operation, words } = details.dataset;
    const parts = operation.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
    return [details, ` ${operation} ${parts} ${words} ${details.textContent}`.toLowerCase()];
  }),
);

/** Whether a word of the text begins so: “age” is not in “message”. */
function hasWord(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[a-z0-9]/.test(text[at - 1]) || !/[a-z0-9]/.test(word[0])) return true;
  return false;
}

filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const details of operations) {
    details.hidden = !words.every((word) => hasWord(textOf.get(details), word));
    if (!details.hidden) shown += 1;
  }
  for (const group of document.querySelectorAll('[data-group]'))
    group.hidden = group.querySelector('details:not([hidden])') === null;
  const found = shown === 1 ? '1 call' : `${shown} calls`;
  count.textContent =
    words.length === 0
      ? ''
      : shown > 0
        ? found
        : 'No call has all these words. Try fewer or other words, or look in the guide or the kinds of error, which are linked above.';
});

const button = document.getElementById('use-my-key');
const message = document.getElementById('use-my-key-message');
button?.addEventListener('click', async () => {
  const answer = await fetch('/api/docs/key', { method: 'POST', redirect: 'manual' });
  // The page asks who is there again, 15 minutes after the sign-in.
  const { go_to: goTo } = answer.status === 403 ? await answer.json() : {};
  if (goTo) return location.assign(goTo);
  if (!answer.ok) {
    message.textContent =
      'Your key could not be used. Sign in again, and check that your account has API access.';
    return;
  }
  const key = await answer.json();
  accessToken = key.access_token;
  for (const { ui } of opened) ui.preauthorizeApiKey('access_token', accessToken);
  const until = new Date(key.valid_to).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  message.textContent = `Your key is in use until ${until}. Every “Execute” below sends it.`;
});
