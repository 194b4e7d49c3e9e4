// Lets people see the password that they type, and says while they choose one what it still lacks. The site checks it all the same.

/** Only the length, and a part that is repeated: the rest is known to the site. */
function lacks(text, minLength) {
  const missing = minLength - [...text.normalize('NFKC')].length;
  if (missing > 0) return `${missing} more character${missing === 1 ? '' : 's'} needed`;
  if (new Set(text.toLowerCase()).size < 5) return 'Easy to guess: use more different characters';
  return '';
}

for (const input of document.querySelectorAll('input[type="password"]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'onward-show-password';
  const show = (isShown) => {
    input.type = isShown ? 'text' : 'password';
    button.textContent = isShown ? 'Hide password' : 'Show password';
    button.setAttribute('aria-pressed', String(isShown));
  };
  show(false);
  button.addEventListener('click', () => show(input.type === 'password'));
  input.after(button);
  // A browser must not remember it as ordinary text.
  input.form?.addEventListener('submit', () => show(false));
  const minLength = Number(input.dataset.minLength);
  if (!minLength) continue;
  const strength = document.createElement('p');
  strength.className = 'nhsuk-hint onward-strength';
  strength.setAttribute('role', 'status');
  button.after(strength);
  input.addEventListener('input', () => {
    strength.textContent = input.value === '' ? '' : lacks(input.value, minLength) || 'Long enough';
  });
}
