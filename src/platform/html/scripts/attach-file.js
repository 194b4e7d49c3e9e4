// “Attach a file” opens the window to choose one at once. Nothing is sent before “Send file” is pressed, so a wrong file can be changed.
const form = document.querySelector('form[data-attaches]');
const field = form?.querySelector('input[type=file]');
const chosen = form?.querySelector('[role=status]');
const fold = form?.closest('details');

fold?.querySelector('summary').addEventListener('click', () => {
  if (!fold.open) field.click();
});
field?.addEventListener('change', () => {
  const [file] = field.files;
  chosen.textContent = file ? `Not sent yet: ${file.name}, ${sizeOf(file)}` : '';
  if (file) form.querySelector('button').focus();
});

function sizeOf({ size }) {
  return size < 1024 * 1024 ? `${Math.ceil(size / 1024)} KB` : `${(size / 1024 / 1024).toFixed(1)} MB`;
}
