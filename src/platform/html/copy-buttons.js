// Shows the buttons that copy a field, which would do nothing without this script. A button names its field in
// data-copies, and what was done is said in the live region that the button names in data-says.
for (const button of document.querySelectorAll('button[data-copies]')) {
  const field = document.getElementById(button.dataset.copies);
  const says = document.getElementById(button.dataset.says);
  button.hidden = false;
  button.addEventListener('click', async () => {
    // Emptied first: a live region that is told the same again says nothing.
    says.textContent = '';
    const copied = await copy(field);
    says.textContent = copied
      ? 'Copied'
      : 'Your browser does not let this page copy. What to copy is selected: copy it yourself.';
  });
}

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // No clipboard on plain http, or no leave to use it: the old way, which works on what is selected.
    field.select();
    return document.execCommand('copy');
  }
}
