/**
 * The names of the parameters, as they were sent, that hold encoded bytes which are no UTF-8. The parser of queries hands
 * those on percent signs and all, as if they were text, so only the address still shows them.
 */
export function brokenParameters(url: string): ReadonlySet<string> {
  const start = url.indexOf('?');
  if (start < 0 || !/%[89a-f]/i.test(url)) return new Set();
  const pairs = url.slice(start + 1).split('&');
  return new Set(pairs.filter((pair) => !isDecodable(pair)).map((pair) => pair.split('=', 1)[0]!));
}

function isDecodable(text: string): boolean {
  try {
    // A percent sign that begins no byte stands for itself, as in “50% off”.
    decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}
