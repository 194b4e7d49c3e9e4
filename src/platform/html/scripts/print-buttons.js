// The buttons that print the page. Where a browser runs no scripts, the styles hide them.
for (const button of document.querySelectorAll('button[data-prints]'))
  button.addEventListener('click', () => window.print());
