import { createRequire } from 'node:module';

/**
 * Whether a password, in small letters, is among the 49,000 that people use most (those of zxcvbn, from real leaks).
 * The list is read when first asked for: most processes never check a new password, and it takes 25 ms and 4 MB.
 */
export function isCommonPassword(text: string): boolean {
  common ??= new Set(readList());
  return common.has(text);
}

let common: ReadonlySet<string> | undefined;

function readList(): readonly string[] {
  const { dictionary } = createRequire(import.meta.url)(
    '@zxcvbn-ts/language-common',
  ) as typeof import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'] as string[];
}
