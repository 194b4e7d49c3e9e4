// Offers choices while somebody types: GP practices, services. Without this script the button beside the field does the same.
for (const part of document.querySelectorAll('[data-choices]')) offerIn(part);

function offerIn(part) {
  const field = part.querySelector('input:not([type=radio], [type=hidden])');
  const offered = part.querySelector('[data-offered]');
  const liveRegion = part.querySelector('[role=status]');
  const button = part.querySelector('button');
  let latest;
  let timer;

  button.hidden = true;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(find, 300);
  });
  // The Enter key looks for them. It would send the form.
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    clearTimeout(timer);
    find();
  });

  async function find() {
    latest?.abort();
    latest = new AbortController();
    const typed = field.value.trim();
    if (typed.length < 2) {
      offered.replaceChildren();
      liveRegion.textContent = '';
      return;
    }
    try {
      // As a form, so that no address holds a detail of a person.
      const body = new URLSearchParams({ [field.name]: typed });
      // Another field of the page may help to find what is near.
      const also = document.getElementById(part.dataset.also ?? '');
      if (also?.value) body.set(also.id, also.value);
      const answer = await fetch(part.dataset.choices, { method: 'POST', body, signal: latest.signal });
      if (!answer.ok) throw new Error('refused');
      const answered = new DOMParser().parseFromString(await answer.text(), 'text/html');
      offered.replaceChildren(...answered.body.childNodes);
      const count = offered.querySelectorAll('input[type=radio]').length;
      liveRegion.textContent = count === 1 ? '1 to choose from' : `${count || 'None'} to choose from`;
    } catch (error) {
      // The button shows better what is wrong.
      if (error.name !== 'AbortError') button.hidden = false;
    }
  }
}
