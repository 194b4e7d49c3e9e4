import { upperFirst } from '../../platform/first-letter.ts';
import { dayInWords, momentInWords } from '../../platform/html/index.ts';
import { changesInWords, type FieldChange } from '../../referrals/index.ts';
import type { PatientRecord } from './collect-record.ts';
import { recordInWords } from './record-in-words.ts';

/** A part of a record that can be left out of a copy: a whole referral, one of its fields, or one thing in a list. */
export type Part = { path: string; label: string; text: string; fileId?: string };
/** `whole` is a long list that can be left out as one. */
export type PartGroup = { title: string; parts: Part[]; whole?: Part };

type ReferralInWords = ReturnType<typeof recordInWords>['referrals'][number];
type PartAuthor = { name: string; organisation?: string | null };

/** Every part of each referral, in the order of the page that the person gets. */
export function partsOf(record: PatientRecord): { whole: Part; groups: PartGroup[] }[] {
  const { referrals } = recordInWords(record);
  return record.referrals.map(({ referral }, index) => {
    const inWords = referrals[index]!;
    const { patient = {}, ...fields } = referral;
    const service = referral.service?.name ?? 'no service chosen';
    const whole = {
      path: `${index}`,
      label: 'The whole referral',
      text: `${referral.reference}: ${service}`,
    };
    const groups = [
      { title: 'The person', parts: fieldsOf(inWords, patient, `${index}/referral/patient`) },
      { title: 'The referral', parts: fieldsOf(inWords, fields, `${index}/referral`) },
      ...lists.map(({ list, title, label, textOf }) => ({
        title,
        parts: (inWords[list] as never[]).map((item, itemIndex) => ({
          path: `${index}/${list}/${itemIndex}`,
          label,
          text: textOf(item),
          ...(list === 'attachments' &&
            !(item as { removed?: object | null }).removed && { fileId: (item as { id: string }).id }),
        })),
        ...(list === 'audit' && { whole: wholeAudit(index, inWords.audit.length) }),
      })),
    ];
    return { whole, groups: groups.filter(({ parts }) => parts.length > 0) };
  });
}

function wholeAudit(index: number, count: number): Part {
  const lines = count === 1 ? '1 line' : `${count} lines`;
  return {
    path: `${index}/audit`,
    label: 'All of who read or changed it',
    text: `${lines}, with the names of staff`,
  };
}

/** The part of the record at this path, if it can be left out. */
export function findPart(record: PatientRecord, path: string): Part | undefined {
  return partsOf(record)
    .flatMap(({ whole, groups }) => [
      whole,
      ...groups.flatMap(({ parts, whole: list }) => [...(list ? [list] : []), ...parts]),
    ])
    .find((part) => part.path === path);
}

/** The id of the part on a page. */
export function anchorOf(path: string): string {
  return `part-${path.replaceAll('/', '-')}`;
}

const nameAndOrganisation = ({ name, organisation }: PartAuthor) =>
  [name, organisation].filter(Boolean).join(', ');
const listOf = <Name extends keyof ReferralInWords & string>(
  name: Name,
  title: string,
  label: string,
  textOf: (item: ReferralInWords[Name] extends readonly (infer Item)[] ? Item : never) => string,
  // TypeScript cannot tie an item to its list later, so the type of `textOf` is checked here and then widened.
) => ({ list: name, title, label, textOf: textOf as (item: never) => string });

const lists = [
  listOf('history', 'What happened', 'A line of what happened', ({ happened, at, by, reason, changes }) => {
    const changeLines = changesInWords((changes ?? []) as FieldChange[]).map(
      ({ label, was, is }) => `${label}: ${was} → ${is}`,
    );
    return [`${happened} on ${momentInWords(at)} by ${nameAndOrganisation(by)}`, reason?.text, ...changeLines]
      .filter(Boolean)
      .join('\n');
  }),
  listOf('things_have_changed', 'What changed for the person', 'News of a change', ({ by, at, text }) =>
    textWithAuthor(by, at, text),
  ),
  listOf('messages', 'Messages', 'A message', ({ by, at, text }) => textWithAuthor(by, at, text)),
  listOf('private_notes', 'Private notes', 'A private note', ({ by, at, text }) =>
    textWithAuthor(by, at, text),
  ),
  listOf('attachments', 'Files', 'A file', ({ by, at, name }) => textWithAuthor(by, at, name)),
  listOf('deliveries', 'Who was told', 'Somebody who was told', (delivery) => {
    const to = delivery.leg === 'service' ? 'The service' : 'The GP practice';
    const what = `${to}, ${delivery.about}: ${delivery.became}, ${momentInWords(delivery.updated_at)}`;
    return [what, delivery.detail].filter(Boolean).join('\n');
  }),
  listOf('openings', 'Opened by operators', 'An opening', ({ by, at, reason }) =>
    textWithAuthor(by, at, reason),
  ),
  listOf('restrictions', 'Restrictions', 'A restriction', restrictionInWords),
  listOf('legal_holds', 'Legal holds', 'A legal hold', restrictionInWords),
  listOf('self_referrals', 'When you referred yourself', 'What was sent', ({ sentInWords }) => sentInWords),
  listOf('person_pages', 'Your own page', 'A link that was sent', ({ sentInWords }) => sentInWords),
  listOf('person_answers', 'What you said on your page', 'An answer', ({ saidInWords }) => saidInWords),
  listOf(
    'audit',
    'Who read or changed it',
    'A line of who read or changed it',
    ({ at, by, actionInWords, outcome }) => {
      const note = outcome === 'refused' ? ' (refused)' : '';
      return `${momentInWords(at)}: ${nameAndOrganisation(by)}: ${actionInWords}${note}`;
    },
  ),
] as const;

function textWithAuthor(by: PartAuthor, at: string, text: string): string {
  return `${nameAndOrganisation(by)}, on ${momentInWords(at)}:\n${text}`;
}

function restrictionInWords({ at, by, reason, lifted }: ReferralInWords['restrictions'][number]): string {
  const end = lifted && `Lifted: ${textWithAuthor(lifted.by, lifted.at, lifted.reason)}`;
  return [textWithAuthor(by, at, reason), end].filter(Boolean).join('\n');
}

/** Fields that every referral has, and those with a list of their own: they are not listed again. */
export const fieldsNotListed: ReadonlySet<string> = new Set([
  'id',
  'reference',
  'service_id',
  'status',
  'version',
  'created_at',
  'updated_at',
  'requested_at',
  'due_at',
  'next_date',
  'overdue',
  'expected_date',
  'reroutes',
  'rerouted_to',
  'referred_again',
  'possible_duplicates',
  'possible_twins',
  'contact_elsewhere',
  'prompts',
  'restricted',
  'held',
  'erased_at',
  'simulated',
  'deliveries',
]);

/** The labels of the fields of a referral and of its patient, in the order in which people read them, and then of the fields within them. */
export const labels: Readonly<Record<string, string>> = {
  title: 'Title',
  given_name: 'First name',
  family_name: 'Last name',
  birth_date: 'Date of birth',
  nhs_number: 'NHS number',
  gender: 'Gender',
  ethnicity: 'Ethnicity',
  ethnic_category: 'Ethnic category',
  address: 'Address',
  ods_code: 'NHS code of the organisation',
  organization_name: 'Organisation',
  telephone: 'Telephone',
  email: 'Email',
  preferred_contact: 'Other wishes about contact',
  communication_needs: 'Communication needs',
  carer: 'Carer',
  service: 'Service',
  urgency: 'Urgency',
  referrer: 'Referred by',
  gp_practice: 'GP practice',
  consent: 'Consent',
  agreement: 'Who agreed',
  contact: 'Whether it is safe to contact the person',
  risk: 'Risk of serious harm',
  risk_acted_on: 'Who was told of the risk',
  reasons: 'Reason',
  needs: 'Needs',
  goals: 'Goal',
  reasonable_adjustments: 'Reasonable adjustments',
  what_matters: 'What matters to them',
  safety_notes: 'Safety',
  support_offered: 'Support so far',
  contacts: 'A contact with the person',
  appointments: 'An appointment',
  measures: 'A measure',
  measure_changes: 'A measure at the start and the end',
  first_contact_at: 'First contact',
  source: 'Who asked for it',
  method: 'How it was taken',
  episode: 'Episode',
  gp_actions: 'Something that the GP practice has to do',
  status_reason: 'Reason for the status',
  outcome: 'Outcome',
  fit_override: 'Why this service although it is outside its ages or area',
  mismatch_override: 'Why the NHS number is right',
  contact_override: 'Why the answer about safe contact is right',
  urgency_override: 'Why it is not urgent',
  namesake_override: 'Why it is somebody else of the referrer’s name',
  death_override: 'Why it is not the person who is said to have died',
  made_at: 'When it was taken on paper',
  seen: 'Who at the service first saw it',
  seen_to: 'Helped another way',
  death_reported: 'Report of a death',
  safety_notes_for_practice: 'Whether the GP practice may read what is under “Safety”',
  do_not_show_online: 'Not to be shown in the online record',
  person_page: 'Page for the person',
  address_notice: 'Notice about the address',
  changed_by_service: 'Replaced by the service',
  declines_social_prescribing: 'Declines social prescribing',
  suggested_service: 'Service that was suggested',
  to_confirm: 'Another open referral, of a person who has died',
  lines: 'Address lines',
  postcode: 'Postcode',
  interpreter: 'Interpreter',
  format: 'Format for written information',
  name: 'Name',
  role: 'Role',
  relationship: 'Relationship',
  share_with_gp: 'The GP practice may be told',
  job_title: 'Job title',
  on_behalf_of: 'On behalf of',
  organisation: 'Organisation',
  text: 'Text',
  reason: 'Reason',
  misfits: 'What did not fit',
  who_was_told: 'Who was told',
  when: 'When',
  send: 'To be sent',
  sent_at: 'Sent',
  opened_at: 'First opened',
  ended_at: 'Ended',
  got_help: 'The person got help',
  got_help_at: 'When the person said so',
  no_longer_wanted_at: 'When the person no longer wanted it',
  basis: 'On what ground',
  judged_by: 'Who judged that',
  decided_by: 'Who decided',
  consulted: 'Who was asked before',
  number: 'Number',
  by_date: 'By',
  asked_by: 'Asked by',
  patient_told: 'The person was told',
  asked_by_letter: 'Asked by letter',
  status: 'Status',
  done_by_hand: 'Done, as staff said',
  referral: 'Agrees to the referral',
  wording: 'What was asked',
  recorded_by: 'Recorded by',
  recorded_at: 'Recorded',
  said_by: 'Who agreed',
  told_by: 'Who said so',
  date: 'Date',
  reported_by: 'Reported by',
  may_undo: 'Can be taken back',
  need: 'Need',
  result: 'Result',
  channel: 'In which way',
  safe: 'Safe to contact',
  only_at: 'Only then or there',
  voicemail: 'A voicemail may be left',
  who_must_not_know: 'Who must not know',
  kind: 'How',
  reached: 'Reached the person',
  note: 'Note',
  place: 'Place',
  cancelled: 'Cancelled',
  stage: 'Stage',
  value: 'Value',
  taken_at: 'When it was taken',
  mode: 'How it was taken',
  alarming: 'Worrying',
  start: 'At the start',
  end: 'At the end',
  change: 'Change',
  reference: 'Reference',
  at: 'When',
  by: 'By whom',
};
const order = Object.keys(labels);

/** A field in the words of the page; undefined for a field that the page shows by its value. */
function fieldInWords(inWords: ReferralInWords, name: string, value: unknown): string | undefined {
  const { reason, result, coded } = inWords;
  const ownWords: Readonly<Record<string, unknown>> = {
    urgency: inWords.urgency,
    needs: coded.needs,
    reasonable_adjustments: coded.adjustments,
    source: coded.source,
    method: coded.method,
    episode: coded.episode,
    ethnic_category: coded.ethnicCategory,
    agreement: inWords.agreement,
    contact: inWords.safeContact.text,
    risk: inWords.risk.join(' ') || upperFirst(valueInWords(value)),
    status_reason: reason && [reason.words, reason.text].filter(Boolean).join(': '),
    outcome:
      result && [result.words, result.text, ...result.measured.map(valueInWords)].filter(Boolean).join('\n'),
  };
  return ownWords[name] ? String(ownWords[name]) : undefined;
}

/** The items of a list of codes, in the words of the page; empty for any other list. */
function itemsInWords({ coded }: ReferralInWords, name: string): readonly string[] {
  const lines = (...texts: (string | number | null | undefined)[]) => texts.filter(Boolean).join('\n');
  if (name === 'goals') return coded.goals.map(({ text, need, tag }) => lines(text, need, tag.text));
  if (name === 'contacts')
    return coded.contacts.map(({ what, at, by, note }) => lines(what, `${momentInWords(at)}, ${by}`, note));
  if (name === 'appointments')
    return coded.appointments.map(({ what, at, by, cancelled }) =>
      lines(`${momentInWords(at)}${cancelled ? ' (cancelled)' : ''}`, what, by),
    );
  if (name === 'measures')
    return coded.measures.map(({ title, stage, value }) => `${title}, at the ${stage}: ${value}`);
  if (name === 'measure_changes')
    return coded.measureChanges.map(
      ({ title, words }) => `${title}: ${words.replace(' → ', ' at the start; at the end: ')}`,
    );
  return [];
}

/** The parts for each field that is not empty; a list has a part for each item. */
function fieldsOf(inWords: ReferralInWords, fields: Readonly<Record<string, unknown>>, path: string): Part[] {
  return Object.entries(fields)
    .filter(([name]) => !fieldsNotListed.has(name))
    .sort(([one], [other]) => rank(one) - rank(other))
    .flatMap(([name, value]) => {
      const label = labels[name] ?? nameInWords(name);
      const isList = Array.isArray(value) && value.some((item) => typeof item === 'object');
      const itemTexts = itemsInWords(inWords, name);
      if (isList)
        return value.map((item, index) => ({
          path: `${path}/${name}/${index}`,
          label,
          text: itemTexts.length === value.length ? itemTexts[index]! : valueInWords(item),
        }));
      return [
        { path: `${path}/${name}`, label, text: fieldInWords(inWords, name, value) ?? valueInWords(value) },
      ];
    })
    .filter(({ text }) => text !== '');
}

function rank(name: string): number {
  const index = order.indexOf(name);
  return index < 0 ? order.length : index;
}

function nameInWords(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ');
  return upperFirst(words);
}

/** Any value of a record as text. */
function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(valueInWords).filter(Boolean).join(', ');
  if (typeof value === 'object') {
    const parts = Object.entries(value)
      .filter(([name]) => !/(_id|^code)$/.test(name))
      .map(([name, part]) => [labels[name] ?? nameInWords(name), valueInWords(part)])
      .filter(([, text]) => text);
    if (parts.length === 1) return parts[0]![1]!;
    return parts.map(([name, text]) => `${name}: ${text}`).join('\n');
  }
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dayInWords(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? momentInWords(text) : text;
}
