/** Why a file was removed that somebody attached by mistake. `other` needs words. */
export const removalReasons = {
  'about-somebody-else': 'It is about somebody else',
  'wrong-file': 'It is the wrong file',
  other: 'Another reason',
} as const;

export const removalCodes = Object.keys(removalReasons) as readonly RemovalCode[];

export type RemovalCode = keyof typeof removalReasons;

/** A file that was removed is called so everywhere: its own name may be that of a person. */
export const removedFileName = 'A file that was removed';

/** What the site itself writes, where the virus scanner found something later. */
export const virusFound = 'virus';

export type RemovalReason = { code: RemovalCode | typeof virusFound; text: string };

/** What happened to a file that is gone, without a full stop. */
export function whyGoneInWords(code: RemovalReason['code'] | undefined): string {
  return code === virusFound
    ? 'A file was removed: it has a virus'
    : 'A file was removed: attached by mistake';
}

/** “It is about somebody else: the letter of another patient”, without a full stop. */
export function removalInWords({ code, text }: RemovalReason): string {
  if (code === virusFound) return 'The virus scanner found a virus in it, so nobody can open it';
  const words = text.replace(/\.$/, '');
  return code === 'other' ? words : [removalReasons[code], words].filter(Boolean).join(': ');
}
