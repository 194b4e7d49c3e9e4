import { withoutInvisible } from '../../platform/visible-text.ts';
import { closeGaps, gap } from './close-gaps.ts';
import type { PatientRecord } from './collect-record.ts';
import { hasWords, patternOf, replaceWords } from './find-words.ts';

/** Why a part of a record is kept from the person who gets the copy. */
export const grounds = {
  third_party: {
    text: 'It is about somebody else, or came from them',
    hint: 'They do not agree to its being disclosed, and disclosing it without that would not be reasonable (Data Protection Act 2018, schedule 2, paragraph 16). Not for what staff wrote in their work.',
  },
  serious_harm: {
    text: 'It could cause serious harm to somebody’s health',
    hint: 'In the opinion of the health professional who knows the person best: say who that is (schedule 3). The copy does not show that anything was left out for this: words are taken out without a mark.',
  },
  other: {
    text: 'Another exemption of the law',
    hint: 'Say which one.',
  },
} as const;
export type Ground = keyof typeof grounds;

/** A decision about one part of a copy. */
export type Mark = {
  /** `hold_back` leaves out a whole part, `black_out` the words alone. */
  kind: 'hold_back' | 'black_out';
  /** The path of the part below `referrals`, such as `0/messages/2`; null for words that are blacked out everywhere. */
  path: string | null;
  partInWords: string;
  /** The words to black out. */
  words: string | null;
  ground: Ground;
};

/** Stands for words that were left out. It always has the same length, so that nobody can count letters. */
const blackBar = '█████';

/** The record as it is handed out: what is held back is gone from every list, and words are blacked out in every text. */
export function leaveOut(record: PatientRecord, marks: readonly Mark[]): PatientRecord {
  const { blackedOutRecord, heldBackPaths } = applyMarks(record, marks);
  const referrals = withoutHeldBack(
    blackedOutRecord.referrals,
    '',
    heldBackPaths,
  ) as PatientRecord['referrals'];
  return { ...blackedOutRecord, referrals, left_out: marks.flatMap((mark) => leftOutLine(record, mark)) };
}

/** The record with words blacked out but no part removed yet, and the paths of the parts to hold back. */
export function applyMarks(
  record: PatientRecord,
  marks: readonly Mark[],
): { blackedOutRecord: PatientRecord; heldBackPaths: ReadonlySet<string> } {
  const holdBackMarks = marks.filter(({ kind }) => kind === 'hold_back');
  const replacements = replacementsOfHeldTexts(record, holdBackMarks);
  const blackOuts = marks
    .filter(({ kind }) => kind === 'black_out')
    // Marks that leave no trace are applied first. Otherwise another mark for the same words would leave one.
    .sort((one, other) => replacementOf(one).length - replacementOf(other).length)
    .map((mark) => ({ path: mark.path, pattern: patternOf(mark.words!), instead: replacementOf(mark) }));
  const referrals = mapTexts(record.referrals, '', (text, path) => {
    const replacement = replacements.get(withoutInvisible(text).trim());
    if (replacement !== undefined) return replacement;
    return blackOuts
      .filter((each) => each.path === null || isWithin(path, each.path))
      .reduce((rest, { pattern, instead }) => withoutWords(rest, pattern, instead), text.normalize('NFC'));
  });
  const blackedOutRecord = { ...record, referrals: referrals as PatientRecord['referrals'] };
  return { blackedOutRecord, heldBackPaths: pathsToHoldBack(record, holdBackMarks) };
}

/** The paths of the parts to hold back, and of others that would reveal them. */
function pathsToHoldBack(record: PatientRecord, holdBackMarks: readonly Mark[]): ReadonlySet<string> {
  const paths = holdBackMarks.flatMap((mark) => [
    mark.path!,
    ...otherTraces(record, partAt(record, mark.path!), mark),
  ]);
  return new Set(paths);
}

/** For each text of a part that is held back: what replaces it where the same text appears elsewhere. */
function replacementsOfHeldTexts(
  record: PatientRecord,
  holdBackMarks: readonly Mark[],
): ReadonlyMap<string, string> {
  const replacements = new Map<string, string>();
  // A mark that leaves no trace wins over one that says that something was left out.
  for (const mark of holdBackMarks)
    for (const text of textsOf(partAt(record, mark.path!), mark.path!))
      if (replacements.get(text) !== '') replacements.set(text, replacementOf(mark));
  return replacements;
}

/** The replacement for words: nothing where the copy must not tell that something was left out. */
function replacementOf({ ground }: Mark): string {
  return ground === 'serious_harm' ? '' : blackBar;
}

function withoutWords(text: string, pattern: RegExp, instead: string): string {
  if (instead !== '') return replaceWords(text, pattern, instead);
  const withGaps = replaceWords(text, pattern, gap);
  return withGaps === text ? text : closeGaps(withGaps);
}

/** Whether a path is that of a part, or below it. */
export function isWithin(path: string, part: string): boolean {
  return path === part || path.startsWith(`${part}/`);
}

/** How many texts of the record, or of one part of it, have the words. */
export function countTexts(record: PatientRecord, words: string, part: string | null): number {
  const pattern = patternOf(words);
  let count = 0;
  mapTexts(record.referrals, '', (text, path) => {
    const isCounted = (part === null || isWithin(path, part)) && hasWords(text, pattern);
    if (isCounted) count += 1;
    return text;
  });
  return count;
}

function leftOutLine(
  record: PatientRecord,
  { kind, path, partInWords, ground }: Mark,
): PatientRecord['left_out'] {
  if (ground === 'serious_harm') return [];
  const referral = path === null ? null : record.referrals[Number.parseInt(path, 10)]!.referral.reference;
  return kind === 'hold_back'
    ? [{ referral, what: partInWords, how: 'held_back', because: ground }]
    : [{ referral, what: 'Words', how: 'blacked_out', because: ground }];
}

/** The value at this path of the record; undefined if there is none. */
function partAt(record: PatientRecord, path: string): unknown {
  return path.split('/').reduce<unknown>(
    (node, key) =>
      // Inherited properties are not part of the record.
      typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? node[key as never] : undefined,
    record.referrals,
  );
}

/**
 * The texts of a part that may also stand elsewhere, as the reason for a status stands in the history. Single words and names of staff and
 * services are not among them: elsewhere they say something else.
 */
function textsOf(part: unknown, path: string): Set<string> {
  const texts = new Set<string>();
  const add = (text: string) => texts.add(withoutInvisible(text).trim());
  if (typeof part === 'string') add(part);
  mapTexts(part, path, (text, at) => {
    const isOfStaff = /\/(by|referrer|service|gp_practice|organisation)(\/|$)/.test(at);
    if (!isOfStaff && /\S\s+\S/.test(text)) add(text);
    return text;
  });
  texts.delete('');
  return texts;
}

/** Fields that show that two things of a record are the same, or that one person did both at one moment. */
type Trace = { id?: string; at?: string; by?: { name: string } };

/**
 * The paths of other parts that would reveal a part that is held back: the same thing in another list. If the copy must not tell that
 * anything was left out, also the lines of that moment in the history and in the audit.
 */
function otherTraces(record: PatientRecord, part: unknown, { path, ground }: Mark): string[] {
  const { id, at, by } = (part ?? {}) as Trace;
  const referralIndex = path!.split('/')[0]!;
  const referral = record.referrals[Number(referralIndex)];
  if (referral === undefined) return [];
  const isSameThing = (each: Trace) => id !== undefined && each.id === id;
  const isSameMoment = (each: Trace) => at !== undefined && each.at === at && each.by?.name === by?.name;
  const listsOfMoments = ground === 'serious_harm' ? ['audit', 'history'] : [];
  const lists = { ...referral, 'referral/deliveries': referral.referral.deliveries };
  return Object.entries(lists).flatMap(([list, items]) =>
    (Array.isArray(items) ? (items as Trace[]) : []).flatMap((each, index) =>
      isSameThing(each) || (listsOfMoments.includes(list) && isSameMoment(each))
        ? [`${referralIndex}/${list}/${index}`]
        : [],
    ),
  );
}

/** Fields that a record always has: null stands in place of what is held back, as an empty list does for all of the audit. */
const nullable = new Set(['service', 'status_reason', 'gp_practice', 'death_reported', 'seen', 'seen_to']);

/** A copy of the node without what is held back. */
function withoutHeldBack(node: unknown, path: string, heldBackPaths: ReadonlySet<string>): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const pathOf = (key: string | number) => (path === '' ? String(key) : `${path}/${key}`);
  if (Array.isArray(node))
    return node.flatMap((each, index) =>
      heldBackPaths.has(pathOf(index)) ? [] : [withoutHeldBack(each, pathOf(index), heldBackPaths)],
    );
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      if (!heldBackPaths.has(pathOf(key))) return [[key, withoutHeldBack(value, pathOf(key), heldBackPaths)]];
      if (key === 'audit') return [[key, []]];
      return nullable.has(key) ? [[key, null]] : [];
    }),
  );
}

/** A copy of the node in which each text that people write or read is changed. Codes and dates stay. */
function mapTexts(node: unknown, path: string, change: (text: string, path: string) => string): unknown {
  if (typeof node === 'string') return isCode(path) ? node : change(node, path);
  if (typeof node !== 'object' || node === null) return node;
  const pathOf = (key: string | number) => (path === '' ? String(key) : `${path}/${key}`);
  if (Array.isArray(node)) return node.map((each, index) => mapTexts(each, pathOf(index), change));
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, mapTexts(value, pathOf(key), change)]),
  );
}

const codes =
  /\/((service_|organization_|expected_|birth_|by_|ends_)?(id|date|at)|\w+_at|when|reference|status|code|kind|stage|safe|basis|risk|urgency|leg|purpose|action|field|media_type|ods_code|reroutes|rerouted_to)$/;

/**
 * Whether the value at this path is a code, which only programs read. In the changes of a correction `from` and `to` are texts;
 * elsewhere they are statuses.
 */
function isCode(path: string): boolean {
  if (codes.test(path)) return true;
  if (/\/audit\/\d+\/outcome$/.test(path)) return true;
  return /\/(from|to)$/.test(path) && !path.includes('/changes/');
}
