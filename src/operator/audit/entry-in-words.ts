import { sentenceFor } from '../../audit/index.ts';
import { upperFirst } from '../../platform/first-letter.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { ItemNames } from './item-names-store.ts';
import type { PartlyHiddenEntry } from './revealing-entries.ts';

/** Actions that had another name in earlier versions. The audit still has their entries. */
const renamedActions: Readonly<Record<string, string>> = {
  'account.password_shown': 'account password checked (earlier entries)',
  'keys.guards_changed': 'keys limits changed (earlier entries)',
};

/** What an action does, without the name of its item: “Accepted a referral”. */
export function actionInWords(action: string): string {
  return upperFirst(sentenceFor(action) ?? spellOut(action));
}

/** Turns `account.api_access_on` into “account api access on”. */
export function spellOut(action: string): string {
  return renamedActions[action] ?? action.replaceAll(/[._]/g, ' ');
}

/** Types of item that entries store under another name than people use. The stored names are signed, so they cannot change. */
const itemTypeWords: Readonly<Record<string, string>> = {
  list: 'saved list of services',
  'service-list': 'saved list of services',
  loose_end: 'unmatched item',
  self_referral: 'self-referral',
  self_referral_desk: 'self-referral desk',
};

/** A type of item in words: “referral”, “saved list of services”. */
export function itemTypeInWords(type: string): string {
  return itemTypeWords[type] ?? spellOut(type);
}

type Item = { type: string; name: string };

/** For each type of item: the words for it in a sentence, and what replaces them once the item’s name is known. */
const wordsForItems: Readonly<Record<string, readonly (readonly [string, (name: string) => string])[]>> = {
  account: [
    ['an account', (name) => `${name}’s account`],
    ['somebody', (name) => name],
  ],
  organisation: [['an organisation', (name) => name]],
  practice: [['a GP practice', (name) => name]],
  referral: [['a referral', (name) => `referral ${name}`]],
  service: [['a service', (name) => `the service ${name}`]],
};

/** What an entry says, with the name of its item: “Accepted referral Q4JB3-B1QVW”. */
export function entryInWords(entry: PartlyHiddenEntry, items: ItemNames): string {
  const words = actionInWords(entry.action);
  const item = itemOf(entry, items);
  if (!item || entry.subjectId === entry.actorId) return words;
  for (const [noun, withName] of wordsForItems[item.type] ?? []) {
    const pattern = new RegExp(`\\b${noun}\\b(?!’)`, 'i');
    if (pattern.test(words)) return words.replace(pattern, () => withName(item.name));
  }
  return `${words}: ${nameItem(item)}`;
}

/** The item of an entry, if it is known and still exists. */
export function itemOf({ subjectType, subjectId }: PartlyHiddenEntry, items: ItemNames): Item | undefined {
  const item = subjectId === null ? undefined : items.get(subjectId);
  return item?.type === subjectType ? item : undefined;
}

/** The name of an item as a link or a value: “referral Q4JB3-B1QVW”, “Olive Operator”. */
export function nameItem({ type, name }: Item): string {
  return type === 'referral' ? `referral ${name}` : name;
}

/** The ids that an entry has, as its item or in its details. */
export function idsIn({ subjectId, details }: PartlyHiddenEntry): string[] {
  return [...(subjectId === null ? [] : [subjectId]), ...idsWithin(details)];
}

function idsWithin(value: unknown): string[] {
  if (typeof value === 'string') return isUuid(value) ? [value] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(idsWithin) : [];
}

/**
 * A value of an entry's details in words. A referral is named by its reference. Other items keep their ids: beside a referral to a
 * sensitive service, the name of an account or organisation would reveal the service.
 */
export function valueInWords(value: unknown, items: ItemNames): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value))
    return value.length > 0 ? value.map((each) => valueInWords(each, items)).join(', ') : 'none';
  if (value === null || typeof value !== 'object') {
    const item = items.get(String(value));
    return item?.type === 'referral' ? item.name : String(value);
  }
  const parts = Object.entries(value).map(
    ([name, part]) => `${spellOut(name)}: ${valueInWords(part, items)}`,
  );
  return parts.length > 0 ? parts.join('; ') : 'none';
}
