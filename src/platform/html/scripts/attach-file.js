// “Attach a file” opens the window to choose one at once, and what was chosen there is attached.
const form = document.querySelector('form[data-attaches]');
const field = form?.querySelector('input[type=file]');
const fold = form?.closest('details');

fold?.querySelector('summary').addEventListener('click', () => {
  if (!fold.open) field.click();
});
field?.addEventListener('change', () => {
  if (field.files.length > 0) form.requestSubmit();
});
