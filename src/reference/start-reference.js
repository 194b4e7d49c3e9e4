// The reference page: opens each call in a Swagger UI of its own, filters the list, and uses the visitor's key.
const tryItOut = document.getElementById('reference').dataset.tryItOut === 'true';
const operations = [...document.querySelectorAll('details[data-operation]')];
const opened = [];
let accessToken;
// The ETag of each thing that an answer was about, by the address of that thing: a change has to send it.
const etags = new Map();
// The calls in whose field for If-Match the visitor has typed something.
const typed = new Set();

/**
 * Such as “/api/referrals/01a1…” for the address of that referral, or of anything about it.
 * @returns undefined for the address of a list, which has no version.
 */
function resourcePathOf(address) {
  const { pathname } = new URL(address, location.origin);
  return /^\/api\/(?:[\w-]+\/)+?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(pathname)?.[0];
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
    tryItOutEnabled: tryItOut,
    supportedSubmitMethods: tryItOut ? ['get', 'put', 'post', 'delete', 'patch'] : [],
    requestInterceptor: (request) => addKeyAndVersion(details, request),
    responseInterceptor: noteVersion,
    onComplete: () => {
      if (accessToken) ui.preauthorizeApiKey('access_token', accessToken);
      fillVersion(details);
    },
  });
  opened.push({ details, ui });
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
  if (response.ok && etag && thing) {
    etags.set(thing, etag);
    for (const { details } of opened) fillVersion(details);
  }
  return response;
}

/** Shows in the field for If-Match the version of what the call is about, unless the visitor has typed there. */
function fillVersion(details) {
  const field = details.querySelector('tr[data-param-name="if-match" i] input');
  if (!field || typed.has(details)) return;
  const path = details.querySelector('summary code').textContent;
  const etag = etags.get(resourcePathOf(path.replace('{id}', filledIn(details, 'id'))));
  if (etag === undefined) return;
  // React listens to the setter of the element's class.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, etag);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

const filledIn = (details, name) =>
  details.querySelector(`tr[data-param-name="${name}"] input`)?.value.trim() ?? '';

/** Notes what the visitor types: another thing, or a version. */
function noteTyping(details, { target, isTrusted }) {
  if (!isTrusted) return;
  if (!target.closest('tr[data-param-name="if-match" i]')) fillVersion(details);
  else if (target.value === '') typed.delete(details);
  else typed.add(details);
}

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
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const details of operations) {
    const text = `${details.dataset.operation} ${details.querySelector('summary').textContent}`.toLowerCase();
    details.hidden = !words.every((word) => text.includes(word));
    if (!details.hidden) shown += 1;
  }
  for (const group of document.querySelectorAll('[data-group]'))
    group.hidden = group.querySelector('details:not([hidden])') === null;
  count.textContent = words.length === 0 ? '' : shown === 1 ? '1 call' : `${shown} calls`;
});

const button = document.getElementById('use-my-key');
const message = document.getElementById('use-my-key-message');
button?.addEventListener('click', async () => {
  const answer = await fetch('/api/docs/key', { method: 'POST', redirect: 'manual' });
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
