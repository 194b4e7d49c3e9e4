// Says how many services are ticked, and keeps their ticks when the results change. Without this script the button compares
// what is ticked on the page.
const ticked = new Set();

function boxes() {
  return document.querySelectorAll('input[form="compare"][name="id"]');
}

function show() {
  for (const box of boxes()) {
    box.checked = ticked.has(box.value);
    box.disabled = !box.checked && ticked.size >= Number(document.getElementById('compare')?.dataset.max);
  }
  const form = document.getElementById('compare');
  if (!form) return;
  const shown = new Set([...boxes()].map(({ value }) => value));
  for (const field of form.querySelectorAll('input[name="id"]')) field.remove();
  for (const id of ticked) {
    if (shown.has(id)) continue;
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: 'id', value: id });
    form.append(field);
  }
  form.querySelector('button').textContent = `Compare (${ticked.size})`;
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('input[form="compare"]')) return;
  if (target.checked) ticked.add(target.value);
  else ticked.delete(target.value);
  show();
});
document.addEventListener('results', show);
for (const box of boxes()) if (box.checked) ticked.add(box.value);
show();
