// Searches while somebody types, or changes a filter. The form does the same without this script, by its button: what is
// fetched is the page that the button would lead to, and the parts of it that are marked as live are put in place.
const form = document.getElementById('find');
let latest;
let waiting;

form.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(search, 300);
});

async function search() {
  const fields = [...new FormData(form)].filter(([, value]) => value.trim() !== '');
  const query = new URLSearchParams(fields).toString();
  const address = query === '' ? form.action : `${form.action}?${query}`;
  latest?.abort();
  latest = new AbortController();
  try {
    const answer = await fetch(address, { signal: latest.signal });
    // A postcode that is half typed is refused; the button says what is wrong with one that is whole.
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]'))
      part.replaceWith(page.getElementById(part.id) ?? part);
    history.replaceState(null, '', address);
    const count = document.getElementById('count');
    if (count) document.getElementById('says').textContent = count.textContent;
  } catch {
    // A later search took its place, or the site is out of reach: the button says so better.
  }
}
