// Asks before a page is left whose form has something in it that was typed and not sent.
const form = document.querySelector('form[data-warn-unsent]');
// A form that came back with mistakes holds what nobody has stored yet.
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
