// Keeps the page of a running import up to date, and shows the result when it has ended.
const everyMs = 2000;

async function look() {
  const answer = await fetch(location.href).catch(() => undefined);
  // The site may be restarting, or the sign-in may have ended. The link on the page leads on.
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
