// The buttons that copy a field. A button names its field in data-copies, and the live region that announces the result in
// data-live-region. Where a browser runs no scripts, the styles hide the buttons.
for (const button of document.querySelectorAll('button[data-copies]:not([data-shows])')) {
  const field = document.getElementById(button.dataset.copies);
  const liveRegion = document.getElementById(button.dataset.liveRegion);
  button.addEventListener('click', async () => {
    // Emptied first, because a live region does not announce the same text twice.
    liveRegion.textContent = '';
    const copied = await copy(field);
    liveRegion.textContent = copied
      ? 'Copied'
      : 'Your browser does not let this page copy. What to copy is selected: copy it yourself.';
  });
}

// A secret stays hidden on the screen, where others may look on, until somebody asks to see it.
for (const button of document.querySelectorAll('button[data-shows]')) {
  const field = document.getElementById(button.dataset.copies);
  const setShown = (isShown) => {
    field.type = isShown ? 'text' : 'password';
    button.textContent = button.textContent.replace(/^(Show|Hide)/, isShown ? 'Hide' : 'Show');
  };
  setShown(false);
  button.addEventListener('click', () => setShown(field.type === 'password'));
}

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Without https or permission there is no clipboard, so the old way copies the selected text.
    // It may be folded away, where nothing can be selected.
    field.closest('details')?.setAttribute('open', '');
    field.type = 'text';
    field.select();
    return document.execCommand('copy');
  }
}
