/** Why a file was removed that somebody attached by mistake. The third needs words. */
export const removalReasons = {
  'about-somebody-else': 'It is about somebody else',
  'wrong-file': 'It is the wrong file',
  other: 'Another reason',
} as const;

export const removalCodes = Object.keys(removalReasons) as readonly RemovalCode[];

export type RemovalCode = keyof typeof removalReasons;

/** A file that was removed is called so everywhere: its own name may be that of a person. */
export const removedFileName = 'A file that was removed';

export type RemovalReason = { code: RemovalCode; text: string };

/** “It is about somebody else: the letter of another patient”, without a full stop. */
export function removalInWords({ code, text }: RemovalReason): string {
  const words = text.replace(/\.$/, '');
  return code === 'other' ? words : [removalReasons[code], words].filter(Boolean).join(': ');
}
