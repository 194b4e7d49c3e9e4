// Says how many services are ticked, offers to compare two or more, and keeps their ticks when the results or the page change. Without
// this script the button compares what is ticked on the page.
const ticked = new Set();

function boxes() {
  return document.querySelectorAll('input[form="compare"][name="id"]');
}

function show() {
  const form = document.getElementById('compare');
  const isFull = ticked.size >= Number(form?.dataset.max);
  for (const box of boxes()) {
    box.checked = ticked.has(box.value);
    box.disabled = !box.checked && isFull;
  }
  const search = document.getElementById('find');
  keep(search, ticked);
  for (const link of document.querySelectorAll(`#results a[href^="${search.getAttribute('action')}?"]`)) {
    const query = new URLSearchParams(link.search);
    query.delete('id');
    for (const id of ticked) query.append('id', id);
    link.search = query;
  }
  if (!form) return;
  const shown = new Set([...boxes()].map(({ value }) => value));
  keep(
    form,
    [...ticked].filter((id) => !shown.has(id)),
  );
  const button = form.querySelector('button');
  button.textContent = `Compare (${ticked.size})`;
  button.hidden = ticked.size < 2;
  document.getElementById('compare-status').textContent = chosen(ticked.size, isFull);
}

function chosen(count, isFull) {
  if (count === 0) return 'Tick two to four services to compare.';
  if (count === 1) return '1 chosen. Tick another one to compare.';
  return `${count} chosen.${isFull ? ' You can compare up to four.' : ''}`;
}

/** Has a form send these ids. */
function keep(form, ids) {
  for (const field of form.querySelectorAll('input[type="hidden"][name="id"]')) field.remove();
  for (const id of ids) {
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: 'id', value: id });
    form.append(field);
  }
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('input[form="compare"]')) return;
  if (target.checked) ticked.add(target.value);
  else ticked.delete(target.value);
  show();
});
document.addEventListener('results', show);
for (const field of document.querySelectorAll('input[name="id"]'))
  if (field.type === 'hidden' || field.checked) ticked.add(field.value);
show();
