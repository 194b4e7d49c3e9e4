import { isWorthAnotherTry, NoAnswer, OutboundError, whyBroken } from '../../../platform/outbound/index.ts';
import type { Failure } from '../channel.ts';
import { ExchangeRefusal, reasonInWords } from './exchange-refusal.ts';

/** What went wrong with a message that was to be sent, for whoever has to see to it. */
export function classify(error: unknown): Failure | undefined {
  if (error instanceof NoAnswer) {
    return error.sent
      ? {
          kind: 'uncertain',
          detail: 'The NHS message exchange did not answer: it may have the message or not.',
        }
      : { kind: 'retry', detail: `The NHS message exchange: ${whyBroken(error.code)}` };
  }
  if (error instanceof OutboundError)
    return {
      kind: 'permanent',
      detail: 'This site may not call the address that is set for the NHS message exchange.',
    };
  if (!(error instanceof ExchangeRefusal)) return undefined;
  const { status, code } = error;
  if (isWorthAnotherTry(status))
    return { kind: 'retry', detail: `The NHS message exchange is in trouble itself (${status}).` };
  if (status === 403)
    return { kind: 'permanent', detail: 'The NHS message exchange does not accept this site’s mailbox.' };
  return { kind: 'permanent', detail: reasonInWords(code) };
}
