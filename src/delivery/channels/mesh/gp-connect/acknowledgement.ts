import { DOMParser, type Element } from '@xmldom/xmldom';
import type { DeliveryReport } from '../../channel.ts';

/** The answer of a practice's system to a message: the message's id, and a code of ITK3. */
export type Acknowledgement = { about: string; code: string };

/**
 * Acknowledgements are a few kilobytes. Parsing 700 kB of namespaces took half a minute, in which the site did nothing
 * else.
 */
const maxLength = 64 * 1024;

/** @returns undefined if this is not an acknowledgement. The input may be anything. */
export function readAcknowledgement(body: Buffer): Acknowledgement | undefined {
  const root = body.length > maxLength ? undefined : parse(body.toString('utf8'));
  const response = root && first(root, 'response');
  const about = response && valueIn(first(response, 'identifier'));
  const outcome = root && first(root, 'OperationOutcome');
  const details = outcome && first(outcome, 'details');
  const code = details && valueIn(first(details, 'code'));
  if (!about || !code) return undefined;
  return { about: about.replace(/^urn:uuid:/, '').toLowerCase(), code };
}

function parse(xml: string): Element | undefined {
  try {
    const { documentElement } = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    }).parseFromString(xml, 'application/xml');
    return documentElement?.localName === 'Bundle' ? documentElement : undefined;
  } catch {
    return undefined;
  }
}

function first(parent: Element, name: string): Element | undefined {
  return parent.getElementsByTagNameNS('http://hl7.org/fhir', name).item(0) ?? undefined;
}

function valueIn(element: Element | undefined): string | undefined {
  return element?.getAttribute('value') ?? undefined;
}

const wrongPractice = 'it went to the wrong practice. Ask the patient where they are registered';

/** What the codes of ITK3 mean for a delivery. Any other code means that the practice's system refused the message. */
const meanings: Readonly<Record<string, Pick<DeliveryReport, 'status' | 'detail' | 'cause'>>> = {
  20013: { status: 'received', detail: 'The practice’s system has the letter.' },
  20007: { status: 'received', detail: 'The practice’s system had the message already.' },
  20008: { status: 'received', detail: 'The practice’s system had the letter already.' },
  30001: { status: 'acknowledged', detail: 'The practice has the letter and knows the patient.' },
  30002: {
    status: 'failed',
    detail: `The practice does not know the patient: ${wrongPractice}.`,
    cause: 'not-their-patient',
  },
  30003: {
    status: 'failed',
    detail: `The patient has left that practice: ${wrongPractice}.`,
    cause: 'not-their-patient',
  },
};

export function reportOf({ about, code }: Acknowledgement): DeliveryReport {
  const meaning = meanings[code];
  const codeInBrackets = /^\d{1,8}$/.test(code) ? ` (code ${code})` : '';
  const refused = {
    status: 'failed',
    detail: `The practice’s system could not take the message${codeInBrackets}.`,
  } as const;
  return { about: { messageId: about }, ...(meaning ?? refused) };
}
