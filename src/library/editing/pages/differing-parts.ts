/** So much is shown of a text before it is cut. */
const longestShown = 300;
/** So much of what both have alike is shown on either side, to know the place by. */
const context = 40;

/** Two texts as a history shows them: whole where they are short, else the part in which they differ. */
export function differingParts(was: string, is: string): { was: string; is: string } {
  if (was.length <= longestShown && is.length <= longestShown) return { was, is };
  const shorter = Math.min(was.length, is.length);
  let before = 0;
  while (before < shorter && was[before] === is[before]) before += 1;
  let after = 0;
  while (after < shorter - before && was.at(-1 - after) === is.at(-1 - after)) after += 1;
  const from = wordBefore(was, before - context);
  const part = (text: string) =>
    cut(text, from, Math.min(text.length - after + context, from + longestShown));
  return { was: part(was), is: part(is) };
}

/** Where the word begins in which a place lies, unless that is far: not every value has words. */
function wordBefore(text: string, place: number): number {
  if (place <= 0) return 0;
  const space = text.lastIndexOf(' ', place);
  return place - space <= context ? space + 1 : place;
}

function cut(text: string, from: number, to: number): string {
  const part = text.slice(from, to).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`;
}
