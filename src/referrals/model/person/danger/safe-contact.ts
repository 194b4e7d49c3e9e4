import { lowerFirst, upperFirst } from '../../../../platform/first-letter.ts';
import type { FieldError } from '../../../../platform/problem/index.ts';
import { type ContactKind, readChannel } from '../../after-acceptance/contacts.ts';
import type { Agreement, SafeContact } from '../../referral.ts';

export const contactNotAsked = 'Whether it is safe to contact the person was not asked.';

/** What there may be to say about contacting a person. */
type ContactStatement =
  | 'safe'
  | 'not-safe'
  | 'only-at'
  | 'not-asked'
  | 'no-voicemail'
  | 'may-leave-voicemail'
  | 'do-not-tell';

/** The sentence of each statement, in the order in which one kind of reader should see them. */
export type ContactSentences = Readonly<Record<ContactStatement, (contact: Partial<SafeContact>) => string>>;

/** What is to be said, to every reader alike. */
function contactStatements({ safe, channel, voicemail, who_must_not_know }: Partial<SafeContact>) {
  return {
    safe: safe === 'yes',
    'not-safe': safe === 'no',
    'only-at': safe === 'only_at',
    'not-asked': safe === 'not_asked',
    'no-voicemail': voicemail === false,
    // Not beside “not safe” or “by text only”: somebody would read it as permission to ring.
    'may-leave-voicemail': voicemail === true && safe !== 'no' && mayRing(channel),
    'do-not-tell': who_must_not_know !== undefined,
  } satisfies Record<ContactStatement, boolean>;
}

const strictness = { no: 2, only_at: 1, yes: 0, not_asked: 0 } as const;

/** How much care an answer asks for, to compare two. If nobody asked, nothing is forbidden, and nothing allowed (`contact-elsewhere.ts`). */
export function strictnessOf(contact: Partial<SafeContact> | undefined): number {
  return strictness[contact?.safe ?? 'not_asked'];
}

const mayRing = (channel: SafeContact['channel']): boolean =>
  channel === undefined || readChannel(channel) === 'telephone';

/** “ (telephone)”, the way that the person was asked about. */
export function channelInBrackets({ channel }: Partial<SafeContact>): string {
  return channel === undefined ? '' : ` (${channel})`;
}

/** The form has these. Other words, such as “telephone or text”, may allow a call. */
const waysWithoutCall: readonly (ContactKind | undefined)[] = ['text', 'email', 'letter', 'in-person'];

/** “Telephone only”. A reader who sees a number rings it, so a way that is not a call adds “Do not ring”. */
function onlyBy(channel: string, when?: string): string {
  const notToRing = waysWithoutCall.includes(readChannel(channel)) ? ' Do not ring.' : '';
  return `${upperFirst(channel)} only${when === undefined ? '' : `, ${insideSentence(when, channel)}`}.${notToRing}`;
}

/** Most write “Weekdays before two” or “By text on weekdays”. Names and days of the week keep their capitals. */
function insideSentence(when: string, channel: string): string {
  const short = when.toLowerCase().startsWith(`by ${channel} `) ? when.slice(channel.length + 4) : when;
  const isPlainWord =
    /^(After|Afternoons?|Any|At|Before|Between|By|Daytime|During|Early|Evenings?|From|In|Late|Mornings?|Never|No|Not|On|Only|School|Through|Until|Via|Weekdays?|Weekends?|When|While|With)\b/.test(
      short,
    );
  return isPlainWord ? lowerFirst(short) : short;
}

/** What is said in the same words to every reader: in a letter, on a page and in a copy. */
export const sharedContactSentences = {
  safe: ({ channel }) => (channel === undefined ? 'It is safe to contact the person.' : onlyBy(channel)),
  'only-at': ({ channel, only_at: when = 'ask who referred them when' }) =>
    channel === undefined ? `Only at these times or places: ${when}.` : onlyBy(channel, when),
  'no-voicemail': () => 'No voicemail.',
  'may-leave-voicemail': () => 'You may leave a voicemail.',
  'do-not-tell': ({ who_must_not_know }) => `Do not tell: ${who_must_not_know}.`,
} satisfies Partial<ContactSentences>;

const sentencesForStaff: ContactSentences = {
  'do-not-tell': sharedContactSentences['do-not-tell'],
  'not-safe': (contact) =>
    `It is not safe to contact the person${channelInBrackets(contact)}: ask who referred them.`,
  safe: sharedContactSentences.safe,
  'only-at': sharedContactSentences['only-at'],
  'not-asked': () => contactNotAsked,
  'no-voicemail': sharedContactSentences['no-voicemail'],
  'may-leave-voicemail': sharedContactSentences['may-leave-voicemail'],
};

/**
 * How it is safe to contact the person, in sentences that stand first on pages and in letters. Undefined in a referral from before
 * it was asked.
 */
export function safeContactInWords<Contact extends Partial<SafeContact> | undefined>(
  contact: Contact,
  sentences: ContactSentences = sentencesForStaff,
): string | Extract<Contact, undefined> {
  if (!contact) return undefined as Extract<Contact, undefined>;
  const statements = contactStatements(contact);
  return Object.entries(sentences)
    .flatMap(([statement, say]) => (statements[statement as ContactStatement] ? [say(contact)] : []))
    .join(' ')
    .replaceAll('..', '.');
}

/** It is safe to contact the person in any way, as far as anybody said: then a list says nothing, so that the others stand out. */
export function isPlainlySafe(contact: Partial<SafeContact> | undefined): boolean {
  return contact?.safe === 'yes' && contact.channel === undefined && !needsCareToContact(contact);
}

/** The ways that a page makes links of: those that the person said are safe, because one press must not use another one. */
export function waysToLink({ safe, channel, who_must_not_know }: Partial<SafeContact> = {}) {
  const isSafe = safe === 'yes';
  return {
    telephone: isSafe && !waysWithoutCall.includes(readChannel(channel)),
    // Somebody else may read the person’s emails.
    email:
      isSafe &&
      (channel === undefined || readChannel(channel) === 'email') &&
      who_must_not_know === undefined,
  };
}

/**
 * Whether the person may not be contacted in every way and at any time. Then the site sends them no message: it sends at any hour, and cannot
 * choose who reads it.
 */
export function limitsContact({ safe, who_must_not_know }: Partial<SafeContact> = {}): boolean {
  return safe === 'no' || safe === 'only_at' || who_must_not_know !== undefined;
}

/** Whether staff should look before they contact the person. */
export function needsCareToContact(contact: Partial<SafeContact> = {}): boolean {
  return limitsContact(contact) || contact.voicemail === false;
}

/**
 * Whether the practice must not show its copy in the online record, where somebody at the person's side may read it. If
 * somebody must not know of the referral, this follows by itself; also if a child agreed, whose parents may read the record for them.
 */
export function hidesOnline({
  contact,
  do_not_show_online,
  agreement,
  consent,
}: {
  contact?: Partial<SafeContact>;
  do_not_show_online?: boolean;
  agreement?: Partial<Agreement>;
  consent?: { said_by?: Partial<Agreement> };
}): boolean {
  return (
    do_not_show_online === true ||
    contact?.who_must_not_know !== undefined ||
    contact?.safe === 'no' ||
    [agreement, consent?.said_by].some((each) => each?.basis === 'competent_child')
  );
}

/** Whether the answers about safe contact contradict each other, or what is to be passed on. */
export function contactErrors({
  contact,
  patient,
}: {
  contact?: Partial<SafeContact> | undefined;
  patient?: { carer?: { share_with_gp?: boolean } | undefined } | undefined;
}): FieldError[] {
  if (!contact) return [];
  return [...timesErrors(contact), ...voicemailErrors(contact), ...carerErrors(contact, patient?.carer)];
}

/** “Only at certain times or places” helps nobody without the words that say when or where. */
function timesErrors({ safe, only_at }: Partial<SafeContact>): FieldError[] {
  if ((safe === 'only_at') === (only_at !== undefined)) return [];
  const pointer = '/contact/only_at';
  return safe === 'only_at'
    ? [{ pointer, message: 'is required with safe: only_at', code: 'required' }]
    : [{ pointer, message: 'is only for safe: only_at', code: 'contradiction' }];
}

function voicemailErrors({ safe, voicemail }: Partial<SafeContact>): FieldError[] {
  if (safe !== 'no' || voicemail !== true) return [];
  const error = (name: string, message: string) => ({
    pointer: `/contact/${name}`,
    message,
    code: 'voicemail-not-safe',
  });
  return [
    error('safe', 'must not be no where voicemail is true'),
    error('voicemail', 'must not be true where safe is no: nobody leaves a message where no contact is safe'),
  ];
}

/**
 * The carer whom a practice may be told of: one whom the referrer ticked, and nobody while somebody must not know. “Her husband”,
 * “Mum” and a first name cannot be compared with a carer’s name safely, so nothing is compared.
 */
export function carerForPractice<C extends { share_with_gp?: boolean }>({
  contact,
  patient,
}: {
  contact?: Partial<SafeContact> | undefined;
  patient: { carer?: C };
}): C | undefined {
  const { carer } = patient;
  return carer?.share_with_gp === true && contact?.who_must_not_know === undefined ? carer : undefined;
}

/** The practice would ring a carer who must not know. Whom the words mean is for a person to say, so any words are enough. */
function carerErrors(
  { who_must_not_know: secretFrom }: Partial<SafeContact>,
  carer: { share_with_gp?: boolean } | undefined,
): FieldError[] {
  if (secretFrom === undefined || carer?.share_with_gp !== true) return [];
  const code = 'carer-must-not-know';
  return [
    {
      pointer: '/patient/carer/share_with_gp',
      message: 'must not be true where contact.who_must_not_know names anybody: it may be the carer',
      code,
    },
    {
      pointer: '/contact/who_must_not_know',
      message:
        'may mean the carer, whom patient.carer.share_with_gp would have told to the practice: make that false',
      code,
    },
  ];
}
