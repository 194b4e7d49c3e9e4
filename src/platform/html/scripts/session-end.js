// Two minutes before an unused session ends, a dialog asks whether to stay signed in. Any tab of the site that is used
// keeps the session, so the time of last use is shared by all of them.
const dialog = document.querySelector('dialog[data-session-ms]');
const idleMs = Number(dialog.dataset.sessionMs);
const warnMs = 120_000;
const key = 'onward-used-at';
const message = dialog.querySelector('[role="status"]');

const used = () => localStorage.setItem(key, String(Date.now()));

function check() {
  const left = Number(localStorage.getItem(key)) + idleMs - Date.now();
  if (left > warnMs) {
    if (dialog.open) dialog.close();
    setTimeout(check, Math.min(left - warnMs, 60_000));
    return;
  }
  if (!dialog.open) dialog.showModal();
  if (left > 0) setTimeout(check, 5_000);
  else
    message.textContent = 'You have been signed out. What you typed stays on this page until you close it.';
}

dialog.querySelector('button').addEventListener('click', async () => {
  const answer = await fetch('/account', { redirect: 'manual' }).catch(() => undefined);
  if (answer?.ok) {
    used();
    dialog.close();
    return check();
  }
  message.textContent = answer
    ? 'You have been signed out. Sign in again.'
    : 'The site cannot be reached. Try again.';
});

used();
check();
