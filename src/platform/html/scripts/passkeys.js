// The passkey buttons of the sign-in and account pages. The script asks the site what to sign, lets the browser sign it, and
// sends the answer back. Where a browser runs no scripts, the styles hide the buttons, and people sign in another way.
const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } =
  window.SimpleWebAuthnBrowser;

const failures = {
  401: 'You have been signed out. Sign in again.',
  404: 'This took too long. Start again from the sign-in page.',
  429: 'There were too many attempts. Wait a while, and try again.',
};

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  const result = isJson ? await answer.json() : {};
  if (result.go_to) location.assign(result.go_to);
  else if (!answer.ok)
    throw new Error(result.message ?? failures[answer.status] ?? 'It did not work. Try again.');
  return result;
}

async function usePasskey({ dataset, path, name }) {
  const { next } = dataset;
  const registers = dataset.passkey === 'register';
  // In the address, so that it survives if somebody has to sign in again first.
  const query = registers && next ? `?next=${encodeURIComponent(next)}` : '';
  const optionsJSON = await post(`${path}/options${query}`, {});
  if (optionsJSON.go_to) return;
  const start = registers ? startRegistration : startAuthentication;
  const passkey = await start({ optionsJSON });
  await post(`${path}${query}`, registers ? { passkey, name } : { passkey, next });
}

/** The site forgets what it asked for after 5 minutes. */
const renewalMs = 4.5 * 60_000;

/** Offers the passkeys of this device where the browser fills in the email address, from when somebody goes to that field. */
async function offerInField(field, element) {
  if (!(await browserSupportsWebAuthnAutofill())) return;
  const offer = async () => {
    const { path, next } = element.dataset;
    const renewal = setTimeout(offer, renewalMs);
    try {
      const optionsJSON = await post(`${path}/options`, {});
      const passkey = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
      clearTimeout(renewal);
      await post(path, { passkey, next });
    } catch (error) {
      // The button took over, or the offer was renewed.
      if (error.name === 'AbortError') return;
      clearTimeout(renewal);
      element.querySelector('[role="alert"]').textContent = explain(error);
    }
  };
  if (document.activeElement === field) offer();
  else field.addEventListener('focus', offer, { once: true });
}

/** Explains the browser's error in plain words: somebody closed its window, or has no such passkey. */
function explain(error) {
  if (error.name === 'NotAllowedError' || error.name === 'AbortError')
    return 'No passkey was used: you stopped, it took too long, or there is none for this site here.';
  if (error.name === 'InvalidStateError') return 'There is a passkey of yours on this device already.';
  return error.name === 'Error' ? error.message : 'Your browser could not use a passkey here.';
}

const isSupported = browserSupportsWebAuthn();
if (!isSupported) document.documentElement.dataset.passkeys = 'none';

for (const element of isSupported ? document.querySelectorAll('[data-passkey]') : []) {
  const { dataset } = element;
  const button = element.querySelector('button');
  const message = element.querySelector('[role="alert"]');
  const name = element.querySelector('input');
  const field = document.querySelector('input[autocomplete~="webauthn"]');
  if (field) offerInField(field, element);
  button.addEventListener('click', async () => {
    button.disabled = true;
    message.textContent = '';
    try {
      await usePasskey({ dataset, path: dataset.path, name: name?.value ?? '' });
    } catch (error) {
      message.textContent = explain(error);
    } finally {
      button.disabled = false;
    }
  });
}
