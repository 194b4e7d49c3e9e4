// Keeps what is said of work that is under way fresh, and shows its result when it is over.
const everyMs = 2000;

async function look() {
  const answer = await fetch(location.href).catch(() => undefined);
  // A site that is being started again, or a sign-in that has ended: the link on the page says more.
  if (!answer?.ok || answer.redirected) return again();
  const there = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const said = there.getElementById('not-over');
  if (!said) return location.reload();
  const shown = document.getElementById('not-over');
  if (shown.textContent !== said.textContent) shown.textContent = said.textContent;
  again();
}

function again() {
  setTimeout(look, everyMs);
}

again();
