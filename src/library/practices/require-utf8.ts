import { badRequest, Problem } from '../../platform/problem/index.ts';

/**
 * A value whose bytes are no UTF-8 is handed on as it was sent, percent signs and all, and would be searched for.
 * @throws Problem `bad-request`, which names the parameters.
 */
export function requireUtf8(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || !/%[89a-f]/i.test(url)) return;
  const broken = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => !isUtf8(pair));
  if (broken.length === 0) return;
  const errors = broken.slice(0, 20).map((pair) => {
    const name = pair.split('=', 1)[0]!;
    return { pointer: isUtf8(name) ? `/query/${name}` : '/query', message: 'must be UTF-8, percent-encoded' };
  });
  throw new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
}

function isUtf8(text: string): boolean {
  try {
    // A percent sign that begins no byte stands for itself, as in “50% off”.
    decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}
