// Offers GP practices while somebody types. Without this script the button beside the field does the same.
const field = document.getElementById('gp_ods_code');
const offered = document.getElementById('gp_offered');
const says = document.getElementById('gp_says');
const postcode = document.getElementById('postcode');
const button = document.querySelector('[name=find_practice]');
let latest;
let waiting;

if (field && offered && says) {
  if (button) button.hidden = true;
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(find, 300);
  });
  // The Enter key looks for the practice. It would send the form.
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    clearTimeout(waiting);
    find();
  });
}

async function find() {
  latest?.abort();
  latest = new AbortController();
  const typed = field.value.trim();
  if (typed.length < 2) {
    offered.replaceChildren();
    says.textContent = '';
    return;
  }
  try {
    // As a form, so that no detail of a person stands in an address.
    const body = new URLSearchParams({ gp_ods_code: typed, postcode: postcode?.value ?? '' });
    const answer = await fetch('/referrals/practices', { method: 'POST', body, signal: latest.signal });
    if (!answer.ok) throw new Error('refused');
    const part = new DOMParser().parseFromString(await answer.text(), 'text/html');
    offered.replaceChildren(...part.body.childNodes);
    const count = offered.querySelectorAll('input[type=radio]').length;
    says.textContent = count === 1 ? '1 practice' : `${count || 'No'} practices`;
  } catch (error) {
    // The button shows better what is wrong.
    if (error.name !== 'AbortError' && button) button.hidden = false;
  }
}
