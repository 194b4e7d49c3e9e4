// Searches while somebody types or changes a filter. Without this script the button of the form does the same. The script
// fetches the page that the button leads to, and replaces the parts that are marked as live.
const form = document.getElementById('find');
const filters = document.getElementById('filters');
let latest;
let timer;

form.addEventListener('input', () => {
  // An answer to the filters of before would replace the boxes, and with them the tick just made.
  latest?.abort();
  clearTimeout(timer);
  timer = setTimeout(search, 300);
});

// On a narrow window the filters are folded, so that the results are near.
if (matchMedia('(min-width: 641px)').matches) filters.open = true;

async function search() {
  const fields = [...new FormData(form)].filter(([, value]) => value.trim() !== '');
  const query = new URLSearchParams(fields).toString();
  const address = query === '' ? form.action : `${form.action}?${query}`;
  latest = new AbortController();
  try {
    const answer = await fetch(address, { signal: latest.signal });
    // A half-typed postcode is refused. Submitting the form shows what is wrong with a whole one.
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const focused = document.activeElement?.id;
    const opened = [...document.querySelectorAll('[data-live] details[open][id]')].map(({ id }) => id);
    for (const part of document.querySelectorAll('[data-live]'))
      part.replaceWith(page.getElementById(part.id) ?? part);
    for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
    document.dispatchEvent(new Event('results'));
    history.replaceState(null, '', address);
    const count = document.getElementById('count');
    if (count) document.getElementById('live-region').textContent = count.textContent;
  } catch {
    // A later search replaced this one, or the site cannot be reached, which the button shows better.
  }
}
