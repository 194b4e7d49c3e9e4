/** An answer of the exchange that says no. `code` is its own where it gave one: what cannot be delivered, and why. */
export class ExchangeRefusal extends Error {
  override name = 'ExchangeRefusal';
  readonly status: number;
  readonly code: string | undefined;
  constructor(status: number, code?: string) {
    super(`The exchange answered ${status}${code === undefined ? '' : ` (${code})`}`);
    this.status = status;
    this.code = code;
  }
}

const reasons: Readonly<Record<string, string>> = {
  '02': 'The message arrived there without its content.',
  '06': 'It did not understand what was written on the message.',
  '07': 'It does not take this mailbox for the sender.',
  '08': 'The message had no address.',
  '12': 'It knows no mailbox of that name.',
  '14': 'The receiver did not collect the message within 5 days.',
  '16': 'This site’s mailbox may not send this kind of message.',
  '17': 'The receiver’s mailbox does not take this kind of message.',
  'EPL-150': 'The patient’s GP practice has more than one mailbox for this kind of message.',
  'EPL-151': 'The patient’s GP practice has no mailbox for this kind of message.',
  'EPL-152': 'The NHS number is not valid.',
  'EPL-153': 'The NHS number is not known.',
  'EPL-154': 'The NHS number belongs to somebody with another name or date of birth.',
};

/** Why the exchange will not deliver, in words for somebody who never heard of it. */
export function reasonInWords(code: string | undefined): string {
  const known = code === undefined ? undefined : reasons[code];
  return `The NHS message exchange did not deliver it. ${known ?? `Its reason: ${printable(code)}.`}`;
}

/** A code comes from outside, and is shown. */
function printable(code: string | undefined): string {
  return code !== undefined && /^[\w-]{1,40}$/.test(code) ? `code ${code}` : 'none was given';
}
