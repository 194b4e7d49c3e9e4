// Asks before somebody leaves a page with a form that they have filled in and not sent.
const form = document.querySelector('form[data-warn-unsent]');
// A form that came back with mistakes holds text that is not stored yet.
let isUnsent = form.dataset.warnUnsent === 'now';

form.addEventListener('input', () => {
  isUnsent = true;
});
form.addEventListener('submit', () => {
  isUnsent = false;
});
addEventListener('beforeunload', (event) => {
  if (isUnsent) event.preventDefault();
});
