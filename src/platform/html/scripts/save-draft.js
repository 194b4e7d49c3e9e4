// Saves a referral as a draft while it is filled in, and when it is left. Without this script its button does the same.
const form = document.getElementById('referral');
const savedStatus = document.getElementById('saved');
const everyMs = 10_000;

// A form that came back with mistakes holds text that is not stored yet.
let isChanged = form.dataset.unsent === 'now';
let isSent = false;
let hasStopped = false;
let hasFailed = false;
let leftOut = [];
let saving;

// Where the note stands: in the heading of the part that somebody fills in.
let heading = form.querySelector('.onward-group > legend');
const note = document.createElement('p');
note.className = 'onward-saved-note';
note.ariaHidden = 'true';

form.addEventListener('input', ({ target }) => {
  isChanged = true;
  heading = target.closest('.onward-group')?.querySelector('legend') ?? heading;
});
// Words of a crisis are pointed out when somebody leaves the field.
form.addEventListener('change', ({ target }) => {
  if (target.localName === 'textarea' && !isSent) save();
});
form.addEventListener('submit', (event) => {
  if (saving) {
    // The draft must have its version first.
    event.preventDefault();
    const button = event.submitter;
    saving.then(() => form.requestSubmit(button));
    return;
  }
  isSent = true;
});
setInterval(() => {
  if (isChanged && !isSent) save();
}, everyMs);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden' && isChanged && !isSent) save();
});
addEventListener('pagehide', () => {
  if (isChanged && !isSent && !hasStopped) navigator.sendBeacon(form.action, typed());
  isChanged = false;
});
// The browser asks only where something would be lost.
addEventListener('beforeunload', (event) => {
  if (!isSent && (leftOut.length > 0 || (isChanged && (hasFailed || hasStopped)))) event.preventDefault();
});
// A page that Back brings up again has an old version of the draft.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

function typed() {
  const body = new URLSearchParams(new FormData(form));
  body.set('autosave', 'yes');
  return body;
}

function save() {
  if (hasStopped) return;
  saving ??= send().finally(() => {
    saving = undefined;
  });
}

async function send() {
  isChanged = false;
  const body = typed();
  try {
    const answer = await fetch(form.action, {
      method: 'POST',
      body,
      keepalive: body.toString().length < 60_000,
    });
    if (answer.status === 401)
      return fail('Not saved: you are signed out. Select “Save as a draft” and sign in: nothing is lost');
    if (answer.status === 403) {
      hasStopped = true;
      return fail('Not saved: somebody else is signed in now. Close this form');
    }
    // Nothing is typed about the person yet.
    if (answer.status === 204) return;
    if (!answer.headers.get('content-type')?.includes('json'))
      return fail('Not saved yet. We will try again');
    const saved = await answer.json();
    if (!answer.ok) {
      hasStopped = saved.isOver;
      return fail(`Not saved: ${saved.problem}`);
    }
    goOnWith(saved);
  } catch {
    fail('Not saved yet: the site cannot be reached. We will try again');
  }
}

/** From now on, the form is that of the draft. */
function goOnWith({ action, version, saved: time, leftOut: names, crisis }) {
  hasFailed = false;
  document.getElementById('crisis').hidden = !crisis;
  leftOut = names;
  if (new URL(form.action).pathname !== action) history.replaceState(null, '', action);
  form.action = action;
  for (const button of form.querySelectorAll('[formaction]')) button.formAction = `${action}#gp_practice`;
  form.querySelector('[name=idempotency_key]')?.remove();
  let field = form.querySelector('[name=version]');
  if (!field) {
    field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: 'version' });
    form.append(field);
  }
  field.value = version;
  const short = `Saved ${time}`;
  say(`${short}${names.length > 0 ? `, without what is not complete: ${names.join(', ')}` : ''}`, short);
}

function fail(text) {
  isChanged = true;
  hasFailed = true;
  say(text);
}

/** In full at the end of the form; `short` goes where somebody is, on the line of the heading, and takes no space. */
function say(text, short) {
  if (savedStatus.textContent !== text) savedStatus.textContent = text;
  note.textContent = short ?? text;
  note.classList.toggle('onward-saved-note--long', short === undefined);
  if (note.previousElementSibling !== heading) heading.after(note);
}
