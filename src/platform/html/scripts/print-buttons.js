// Shows the buttons that print the page, which do nothing without this script.
for (const button of document.querySelectorAll('button[data-prints]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}
