import { lowerFirst } from '../../../../platform/first-letter.ts';
import { dayInWords } from '../../../../platform/html/index.ts';
import type { FieldChange } from '../../../model/history-store.ts';
import { type Adjustment, adjustmentsInWords } from '../../../model/person/adjustments.ts';
import { saidByInWords } from '../../../model/person/agreement.ts';
import { safeContactInWords } from '../../../model/person/danger/safe-contact.ts';
import { type EthnicCategory, ethnicCategories } from '../../../model/person/ethnic-category.ts';
import { type Goal, goalResultWords, type Need, needsInWords } from '../../../model/person/needs.ts';
import type { Agreement, SafeContact } from '../../../model/referral.ts';

const fieldWords: Readonly<Record<string, string>> = {
  'patient.address': 'Address',
  'patient.telephone': 'Telephone number',
  'patient.email': 'Email address',
  'patient.preferred_contact': 'Other wishes about contact',
  'patient.communication_needs': 'Interpreter and format',
  'patient.carer': 'Carer',
  'patient.ethnic_category': 'Ethnic category',
  needs: 'Needs',
  goals: 'Goals',
  reasonable_adjustments: 'Reasonable adjustments',
  service: 'Service',
  contact: 'Safe contact',
  do_not_show_online: 'Not to be shown online',
  gp_practice: 'GP practice',
  fit_override: 'Why this service although it is outside its ages or area',
  urgency: 'Urgency',
  attachments: 'Files',
  safety_notes: 'Safety notes',
  safety_notes_for_practice: 'Safety notes for the GP practice',
  'consent.share_with_gp': 'What the GP practice may have',
  'consent.said_by': 'Who said so',
  reason: 'Why',
  'consent.reason': 'Why, although the person had decided otherwise',
};

const sharing: Readonly<Record<string, string>> = {
  true: 'A copy',
  codes_only: 'Coded entry only',
  false: 'Nothing. Do not contact the practice about this person',
};
const words: Readonly<Record<string, string>> = {
  routine: 'Routine',
  urgent: 'Urgent',
  true: 'Yes',
  false: 'No',
};

/** In sentences: “safe contact”. What the site keeps for itself has no words, and is not shown. */
export function fieldsInWords(fields: readonly string[]): string[] {
  return fields
    .flatMap((field) => fieldWords[field] ?? [])
    .map((words) => (words.startsWith('GP ') ? words : lowerFirst(words)));
}

/** What was changed, with what it said before and says now: “Telephone number: 01632 960001, before 01632 960002”. */
export function changesInWords(changes: readonly FieldChange[]): ChangeInWords[] {
  return changes.flatMap((change) => {
    const label = fieldWords[change.field];
    return label === undefined ? [] : { label, ...valuesInWords(change) };
  });
}

/** `was` is undefined where something was said of the change itself, such as its reason: nothing stood there before. */
export type ChangeInWords = { label: string; was: string | undefined; is: string };

const aboutTheChange = ['reason', 'consent.reason'];

function valuesInWords({ field, from, to }: FieldChange): Omit<ChangeInWords, 'label'> {
  const say = (value: FieldChange['from']) => {
    if (field === 'contact') return safeContactInWords(value as Partial<SafeContact>) ?? 'not asked';
    if (value !== null && isCoded(field)) return codedWords[field](value);
    return inWords(value, field === 'consent.share_with_gp' ? sharing : words);
  };
  return { was: from === null && aboutTheChange.includes(field) ? undefined : say(from), is: say(to) };
}

const codedWords = {
  'consent.said_by': (value: unknown) =>
    typeof value === 'string' ? value : saidByInWords(value as Agreement, dayInWords),
  needs: (value: unknown) => needsInWords(value as Need[]).join(', '),
  reasonable_adjustments: (value: unknown) => adjustmentsInWords(value as Adjustment[]) ?? 'nothing',
  'patient.ethnic_category': (value: unknown) => ethnicCategories[value as EthnicCategory],
  // The database sorts their names.
  'patient.communication_needs': (value: unknown) => {
    const { interpreter, format } = value as { interpreter?: string; format?: string };
    return [interpreter, format].filter(Boolean).join(', ');
  },
  goals: (value: unknown) =>
    (value as Goal[])
      .map(({ text, result }) => (result ? `${text} (${goalResultWords[result].toLowerCase()})` : text))
      .join('\n'),
} as const;

function isCoded(field: string): field is keyof typeof codedWords {
  return Object.hasOwn(codedWords, field);
}

function inWords(value: FieldChange['from'], valueWords: Readonly<Record<string, string>>): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return value.map((part) => inWords(part, valueWords)).join(', ');
  if (typeof value === 'object')
    return Object.values(value)
      .map((part) => inWords(part ?? null, valueWords))
      .join(', ');
  return valueWords[String(value)] ?? String(value);
}
