// Keeps the numbers of an open worklist right, and says how many of its rows are new or have changed. The rows stay where they are.
// Only the window in front listens: a browser has few connections to one site.
const status = document.querySelector('[data-live]');
let source;

function showBadge(text) {
  document.title = (text && `(${text}) `) + document.title.replace(/^\([\d,]+\+?\) /, '');
  for (const place of document.querySelectorAll(
    '.onward-menu__button, .nhsuk-header__navigation-link[href="/referrals"]',
  )) {
    let badge = place.querySelector('.onward-badge');
    if (!text) {
      badge?.remove();
      continue;
    }
    if (!badge) {
      badge = document.createElement('span');
      badge.className = 'onward-badge';
      place.append(' ', badge);
    }
    const meaning = document.createElement('span');
    meaning.className = 'nhsuk-u-visually-hidden';
    meaning.textContent = ' need action';
    badge.replaceChildren(text, meaning);
  }
}

function showChanged(text) {
  if (text === '0') return status.replaceChildren();
  const link = document.createElement('a');
  link.href = status.dataset.list;
  link.textContent = text === '1' ? 'Show it' : 'Show them';
  const words =
    text === '1' ? '1 referral is new or has changed. ' : `${text} referrals are new or have changed. `;
  const line = document.createElement('p');
  line.append(words, link);
  // Read aloud once, and not each time that the same number arrives.
  if (status.textContent !== line.textContent) status.replaceChildren(line);
}

function follow() {
  source?.close();
  source = undefined;
  if (document.visibilityState !== 'visible') return;
  source = new EventSource(status.dataset.live);
  source.addEventListener('message', ({ data }) => {
    const counts = JSON.parse(data);
    showBadge(counts.needs_you);
    showChanged(counts.changed);
  });
}

document.addEventListener('visibilitychange', follow);
follow();
