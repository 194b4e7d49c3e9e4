import { DOMParser, type Element } from '@xmldom/xmldom';

/** What a practice's system answers to a message: the message's id, and a code of ITK3. */
export type Acknowledgement = { about: string; code: string };

/**
 * They are a few kilobytes. Reading takes ever longer the more there is of it: half a minute for 700 kB of names of
 * namespaces, in which the site would do nothing else.
 */
const longest = 64 * 1024;

/** @returns undefined for what is no acknowledgement; it may be anything at all. */
export function readAcknowledgement(body: Buffer): Acknowledgement | undefined {
  const root = body.length > longest ? undefined : parse(body.toString('utf8'));
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
