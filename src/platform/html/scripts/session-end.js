// Two minutes before an unused session ends, a dialog asks whether to stay signed in. Any tab of the site that is used
// keeps the session, so the time of last use is shared by all of them. Somebody who signs out in one tab has all of them covered.
const dialog = document.querySelector('dialog[data-session-ms]');
const idleMs = Number(dialog.dataset.sessionMs);
const warnMs = 120_000;
const key = 'onward-used-at';
const signedOutKey = 'onward-signed-out-at';
let timer;
let openedAt = Date.now();
const message = dialog.querySelector('[role="status"]');
const stay = dialog.querySelector('button');
const heading = dialog.querySelector('h2');
const soon = dialog.querySelector('[data-soon]');
const ended = dialog.querySelector('[data-ended]');

const used = () => localStorage.setItem(key, String(Date.now()));

const isSignedOut = () => Number(localStorage.getItem(signedOutKey)) > openedAt;

function check() {
  clearTimeout(timer);
  if (isSignedOut()) {
    if (!dialog.open) dialog.showModal();
    showEnd('You signed out in another tab.');
    return;
  }
  const left = Number(localStorage.getItem(key)) + idleMs - Date.now();
  if (left > warnMs) {
    if (dialog.open) dialog.close();
    timer = setTimeout(check, Math.min(left - warnMs, 60_000));
    return;
  }
  if (!dialog.open) dialog.showModal();
  if (left > 0) timer = setTimeout(check, 5_000);
  else showEnd('What you typed stays on this page until you close it.');
}

/** Nothing behind the dialog can be read or printed until somebody has signed in again, in another tab: others may use the screen next. */
function showEnd(words) {
  heading.textContent = 'You have been signed out';
  soon.hidden = true;
  ended.hidden = false;
  dialog.classList.add('onward-session-ended');
  document.documentElement.classList.add('onward-covered');
  stay.textContent = 'I have signed in again';
  message.textContent = words;
}

function goOn() {
  heading.textContent = 'You will be signed out soon';
  soon.hidden = false;
  ended.hidden = true;
  dialog.classList.remove('onward-session-ended');
  document.documentElement.classList.remove('onward-covered');
  openedAt = Date.now();
  stay.textContent = 'Stay signed in';
  message.textContent = '';
  used();
  dialog.close();
  check();
}

dialog.addEventListener('cancel', (event) => {
  if (dialog.classList.contains('onward-session-ended')) event.preventDefault();
});

/** A colleague who signs in on the same computer must not read what was left open. */
async function isSameViewer(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.querySelector('dialog[data-session-ms]')?.dataset.viewer === dialog.dataset.viewer;
}

// A browser closes a dialog at the second Escape, whatever is done about the first.
dialog.addEventListener('close', () => {
  if (dialog.classList.contains('onward-session-ended')) dialog.showModal();
});

stay.addEventListener('click', async () => {
  const answer = await fetch('/account', { redirect: 'manual' }).catch(() => undefined);
  if (answer?.ok && (await isSameViewer(answer))) return goOn();
  if (answer?.ok)
    showEnd('Somebody else has signed in. Only the person who opened this page can go on with it.');
  else if (answer) showEnd('Sign in again, then come back to this page. What you typed is still here.');
  else message.textContent = 'The site cannot be reached. Try again.';
});

document.querySelector('form[action="/signout"]')?.addEventListener('submit', () => {
  localStorage.setItem(signedOutKey, String(Date.now()));
});
addEventListener('storage', ({ key: changed }) => {
  if (changed === signedOutKey) check();
});
// A browser stops the timers of a tab that nobody looks at, and of a computer that sleeps.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && !dialog.classList.contains('onward-session-ended')) check();
});

used();
check();
