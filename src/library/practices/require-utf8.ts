import { brokenParameters } from '../../platform/http/index.ts';
import { badRequest, wrongInput } from '../../platform/problem/index.ts';

/** @throws Problem `bad-request`, naming the parameters that are not UTF-8. */
export function requireUtf8(url: string): void {
  const broken = [...brokenParameters(url)];
  if (broken.length === 0) return;
  const errors = broken.slice(0, 20).map((name) => ({
    pointer: /^[\w-]+$/.test(name) ? `/query/${name}` : '/query',
    message: 'must be UTF-8, percent-encoded',
  }));
  throw wrongInput(badRequest, errors);
}
