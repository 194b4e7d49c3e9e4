import {
  describeNetworkError,
  isRetryable,
  NoAnswer,
  OutboundError,
  refusesOurCertificate,
} from '../../../platform/outbound/index.ts';
import type { RefusalCause } from '../../../referrals/index.ts';
import type { Failure } from '../channel.ts';

/** What went wrong with a call of the exchange, in words for an operator. */
export function classify(error: unknown): Failure | undefined {
  if (error instanceof NoAnswer) return failureWithoutAnswer(error);
  if (error instanceof OutboundError)
    return siteRefused('This site may not call the address that is set for the NHS message exchange.');
  if (error instanceof ExpiredCertificate) return siteRefused(error.message);
  if (error instanceof SeveralMessages) return { kind: 'uncertain', detail: severalMessages };
  if (error instanceof UndeliverableMessage) return permanentFailure(error.code);
  if (!(error instanceof ExchangeRefusal)) return undefined;
  const { status, code } = error;
  if (isRetryable(status))
    return {
      kind: 'retry',
      detail: `The NHS message exchange has a problem of its own (${status}).`,
      away: true,
    };
  if (status === 401 || status === 403)
    return siteRefused(
      `The NHS message exchange does not accept this site’s mailbox (${status}): its password, its key or this machine’s clock is wrong.`,
    );
  if (code === '07')
    return siteRefused('The NHS message exchange does not recognise this mailbox as the sender.');
  if (code === '16')
    return {
      kind: 'held',
      by: 'message-exchange-workflow',
      detail: 'This site’s mailbox may not send this kind of message by the NHS message exchange.',
    };
  // The exchange explains a refusal by a code. An answer without one comes from a wrong address or a proxy.
  if (code === undefined && status !== 413)
    return siteRefused(
      `The address of the NHS message exchange answered ${status}, which is not an answer of the exchange: check the address.`,
    );
  return permanentFailure(code);
}

function permanentFailure(code: string | undefined): Failure {
  return { kind: 'permanent', detail: reasonInWords(code), cause: causeOf(code) };
}

function failureWithoutAnswer({ code, wasConnected }: NoAnswer): Failure {
  // The exchange closes the connection before it reads the request, even if the request was sent.
  if (refusesOurCertificate(code))
    return siteRefused('The NHS message exchange does not accept this site’s certificate.');
  if (wasConnected)
    return {
      kind: 'uncertain',
      detail: 'The NHS message exchange did not answer: it may have the message or not.',
    };
  return { kind: 'retry', detail: `The NHS message exchange: ${describeNetworkError(code)}`, away: true };
}

/** Every message would be refused in the same way, and only this site’s operators can fix that. */
function siteRefused(detail: string): Failure {
  return { kind: 'held', by: 'message-exchange', detail };
}

/** The exchange refused a request. `code` is its own code for the reason, if it gave one. */
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

const severalMessages =
  'The NHS message exchange has this message more than once, and does not say whether one of them is complete.';

/** Several messages have the id that was asked for. Sending another could tell the receiver twice. */
export class SeveralMessages extends Error {
  override name = 'SeveralMessages';
}

/** The exchange took a message and could not deliver it. That says nothing about this site’s other messages. */
export class UndeliverableMessage extends Error {
  override name = 'UndeliverableMessage';
  readonly code: string | undefined;
  constructor(code?: string) {
    super(`The exchange could not deliver the message${code === undefined ? '' : ` (${code})`}`);
    this.code = code;
  }
}

const reasons: Readonly<Record<string, string>> = {
  '02': 'The message arrived there without its content.',
  '06': 'It did not understand what was written on the message.',
  '07': 'It does not recognise this mailbox as the sender.',
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

/** Why the exchange did not deliver a message, in words for somebody who does not know the exchange. */
export function reasonInWords(code: string | undefined): string {
  const reason = code === undefined ? undefined : reasons[code];
  return `The NHS message exchange did not deliver it. ${reason ?? `Its reason: ${codeInWords(code)}.`}`;
}

/** The exchange looks up the NHS number together with the name and the birth date. */
const unrecognisedCodes: readonly (string | undefined)[] = ['EPL-152', 'EPL-153', 'EPL-154'];

/** What the referrer can check, if that is why the exchange did not deliver a message. */
export function causeOf(code: string | undefined): RefusalCause | undefined {
  return unrecognisedCodes.includes(code) ? 'nhs-number-not-recognised' : undefined;
}

/** A code comes from outside and is shown on pages. */
function codeInWords(code: string | undefined): string {
  return code !== undefined && /^[\w-]{1,40}$/.test(code) ? `code ${code}` : 'none was given';
}

/** This site's own certificate has expired, so the exchange would refuse it. */
export class ExpiredCertificate extends Error {
  override name = 'ExpiredCertificate';
}
