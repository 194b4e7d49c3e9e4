// Keeps the page of a running import up to date, and shows the result when it has ended.
const everyMs = 2000;

async function update() {
  const answer = await fetch(location.href).catch(() => undefined);
  // The site may be restarting, or the sign-in may have ended. The link on the page leads on.
  if (!answer?.ok || answer.redirected) return updateLater();
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const newStatus = page.getElementById('import-status');
  if (!newStatus) return location.reload();
  const status = document.getElementById('import-status');
  if (status.textContent !== newStatus.textContent) status.textContent = newStatus.textContent;
  const progress = document.getElementById('import-progress');
  if (progress) progress.value = page.getElementById('import-progress')?.value ?? progress.value;
  updateLater();
}

function updateLater() {
  setTimeout(update, everyMs);
}

updateLater();
