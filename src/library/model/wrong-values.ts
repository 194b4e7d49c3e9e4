import { momentOf } from '../../platform/clock/index.ts';
import { isMailAddress } from '../../platform/mail/index.ts';
import { type FieldError, pointerTo, prefixPointers } from '../../platform/problem/index.ts';
import { errorInWebAddress, withScheme } from './web-address.ts';

/** Characters of a telephone number: enough for two numbers and “ask for Jo after six”. */
const maxPhoneLength = 200;

/** How a value of the right type is normalised and checked. */
type Rule = {
  normalise?: (text: string, wasTyped: boolean) => string;
  errorIn: (value: string | number) => string | undefined;
  /** Remove the object that contains a wrong value: without the value it means nothing. */
  removesEntry?: true;
};
type Rules = ReadonlyMap<string, Rule>;

const webAddress: Rule = { errorIn: forText(errorInWebAddress) };
const typedAddress: Rule = {
  ...webAddress,
  normalise: (text, wasTyped) => (wasTyped ? withScheme(text) : text),
};
const email: Rule = { normalise: plainEmail, errorIn: forText(errorInEmail) };
const amount: Rule = {
  errorIn: (value) => (typeof value === 'number' && value < 0 ? 'must not be less than 0' : undefined),
};

/** Rules for fields of these names anywhere. Vocabularies use `uri` and `term_uri` for names that are not addresses. */
const anywhere: Rules = new Map([
  ...['url', 'website', 'logo', 'schedule_link'].map((name) => [name, typedAddress] as const),
  ...['uri', 'term_uri'].map((name) => [name, webAddress] as const),
  ...['email', 'assurer_email'].map((name) => [name, email] as const),
]);
/** Rules for fields in certain lists; an empty name stands for the record itself. */
const within: ReadonlyMap<string, Rules> = new Map<string, Rules>([
  [
    '',
    new Map([
      ['minimum_age', amount],
      ['maximum_age', amount],
      ['assured_date', { errorIn: forText(errorInDay) }],
    ]),
  ],
  ['cost_options', new Map([['amount', amount]])],
  ['phones', new Map<string, Rule>([['number', { errorIn: forText(errorInPhone), removesEntry: true }]])],
]);

/**
 * Removes, in place, values that have the right type but cannot be right: an address that leads to no web page, text that is
 * not an email address, a negative age. With `isTyped`, web addresses may lack their `https://`.
 * @returns the removed values, with reasons
 */
export function removeInvalidValues(record: object, { pointer = '', isTyped = false } = {}): FieldError[] {
  const faults: FieldError[] = [];

  /** @returns whether the object means nothing now, as a phone without its number, so that its list should lose it. */
  function checkFields(holder: Record<string, unknown>, name: string): boolean {
    const rules = within.get(name);
    let isLost = false;
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (typeof value === 'object' && value !== null) inside(key, () => descend(value, key));
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const rule = rules?.get(key) ?? anywhere.get(key);
      if (!rule) continue;
      const normalised = typeof value === 'string' ? (rule.normalise?.(value, isTyped) ?? value) : value;
      if (normalised !== value) holder[key] = normalised;
      const message = rule.errorIn(normalised);
      if (message === undefined) continue;
      faults.push({ pointer: pointerTo(key), message });
      delete holder[key];
      if (rule.removesEntry) isLost = true;
    }
    return isLost;
  }

  function descend(value: object, name: string): void {
    if (!Array.isArray(value)) {
      checkFields(value as Record<string, unknown>, name);
      return;
    }
    const lost = new Set<unknown>();
    for (const [index, entry] of value.entries()) {
      if (typeof entry !== 'object' || entry === null) continue;
      inside(index, () => {
        if (Array.isArray(entry)) descend(entry, name);
        else if (checkFields(entry as Record<string, unknown>, name)) lost.add(entry);
      });
    }
    if (lost.size > 0) value.splice(0, value.length, ...value.filter((entry) => !lost.has(entry)));
  }

  function inside(key: string | number, look: () => void): void {
    const before = faults.length;
    look();
    prefixPointers(faults, before, key);
  }

  checkFields(record as Record<string, unknown>, '');
  return pointer === ''
    ? faults
    : faults.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }));
}

/** The address in a link such as `mailto:name@example.org?subject=…`; other text stays as it is. */
export function plainEmail(text: string): string {
  const [, address] = /^\s*mailto:\s*([^?\s]+)/i.exec(text) ?? [];
  return address ?? text;
}

function forText(faultOf: (text: string) => string | undefined): Rule['errorIn'] {
  return (value) => (typeof value === 'string' ? faultOf(value) : undefined);
}

function errorInEmail(text: string): string | undefined {
  return isMailAddress(text.trim()) ? undefined : 'must be an email address such as name@example.org';
}

function errorInDay(text: string): string | undefined {
  return momentOf(text) ? undefined : 'must be a day such as 2026-11-21';
}

function errorInPhone(text: string): string | undefined {
  if (text.trim() === '') return 'must not be empty';
  return text.length > maxPhoneLength ? `must have at most ${maxPhoneLength} characters` : undefined;
}
