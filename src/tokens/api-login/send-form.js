// Sends the page's one marked form at once. Without JavaScript its button does.
document.querySelector('form[data-send-at-once]')?.submit();
