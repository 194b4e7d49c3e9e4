// Asks people who leave a page with text that they have not sent. Ignores the second press of a button.
const fields = document.querySelectorAll(
  'main form :is(textarea, input:not([type=hidden], [type=file], [type=radio], [type=checkbox]))',
);
// A form that came back with mistakes holds text that is not stored.
const cameBack = document.querySelector('.nhsuk-error-summary') !== null;
const holdsForMs = 10_000;
let sent;
let sentAt = 0;

function isUnsent(field) {
  if (field.form === sent) return false;
  return (
    field.value !== field.defaultValue ||
    (cameBack && field.localName === 'textarea' && field.value.trim() !== '')
  );
}

addEventListener('submit', (event) => {
  // Otherwise a double click sends the form twice, and the second answer says that nothing was done.
  if (event.target === sent && Date.now() - sentAt < holdsForMs) {
    event.preventDefault();
    return;
  }
  if (event.defaultPrevented) return;
  sent = event.target;
  sentAt = Date.now();
});
addEventListener('beforeunload', (event) => {
  if (![...fields].some(isUnsent)) return;
  event.preventDefault();
  // Somebody who stays can send again.
  setTimeout(() => {
    sent = undefined;
  }, 1000);
});
// After Back, a page may show forms that are out of date.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
