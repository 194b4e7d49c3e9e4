import { findReferralMarks, isSensitiveOrganization } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { upperFirst } from '../../platform/first-letter.ts';
import { dayInWords, momentInWords } from '../../platform/html/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactKinds } from '../model/after-acceptance/contacts.ts';
import type { RoomsAbove } from '../model/deps.ts';
import { londonDate } from '../model/due/dates.ts';
import { openStatuses, type ReasonCode, type Referral } from '../model/referral.ts';
import { checkTimeMs } from '../model/status/ending-by-link.ts';
import { unsuccessfulStatuses } from '../model/status/state-machine.ts';
import { findDaySomebodyIsThere, findTelephones } from './whom-to-ring-store.ts';

/** Where a referral stands, in words for the person whom it is about, without anything that staff wrote. */
export type DescriptionForPerson = {
  /** Where it is now, and what happens next. */
  now: string[];
  next: string[];
  appointments: string[];
  toRing: { who: string; telephone: string }[];
  /** As the person is told of it: an ending that can still be taken back is not shown. */
  status: Referral['status'];
};

/**
 * Tells the person where their referral stands. It says in fixed words why a referral was declined, because what staff wrote to each other
 * is not for the person, and may be hard to bear alone.
 */
export async function describeForPerson(
  { db, clock, roomsAbove }: Pick<Platform, 'db' | 'clock'> & { roomsAbove: RoomsAbove },
  referral: Referral,
  { mayNameService = true, mayNameReferrer = true } = {},
): Promise<DescriptionForPerson> {
  const now = clock.now();
  const shown = await asPersonSees(roomsAbove, db, referral, now);
  const { service, content } = shown;
  const mayName = {
    service: mayNameService,
    organization: !(await hasSensitiveOrganization(db, shown)),
    referrer: mayNameReferrer && !(await hasSensitiveReferrer(db, shown)),
  };
  const where = mayName.service
    ? serviceInWords(service.name, mayName.organization ? service.organization_name : null)
    : 'the service that you agreed to';
  const by = mayName.referrer
    ? (content.referrer.organisation ?? 'The person who referred you')
    : peopleWhoReferred;
  return {
    ...wordsFor(shown, {
      where,
      by,
      referred: mayName.referrer ? `${by} referred you` : 'You were referred',
    }),
    appointments: await appointmentsInWords(db, shown, { now, mayNamePlace: mayName.service }),
    toRing: await whomToRing(db, shown, mayName),
    status: shown.status,
  };
}

/** A service with who runs it, unless both have one name: nobody is helped by “Men’s Shed, Men’s Shed”. */
function serviceInWords(name: string, organization: string | null): string {
  return organization === null || organization === name ? name : `${name}, ${organization}`;
}

/**
 * By when the people who referred the person will contact them, in words. It names the day if they are all away, and promises nothing if
 * nobody is left.
 */
export async function promiseToContact(
  { db, clock, settings }: Pick<Platform, 'db' | 'clock' | 'settings'>,
  referral: Pick<Referral, 'referrerOrganisationId' | 'referrerAccountId'>,
): Promise<string[]> {
  const now = clock.now();
  const today = londonDate(now);
  const back = await findDaySomebodyIsThere(db, referral, today);
  const referrersKnow = 'We have told the people who referred you.';
  if (back === today)
    return [
      `${referrersKnow} They will contact you by the end of the next working day, in the way that you said is safe.`,
    ];
  const isRingable = settings.operatorContact !== undefined;
  const ring = isRingable ? `If you cannot wait so long, contact ${settings.operatorContact}.` : undefined;
  const first =
    back === null
      ? 'The people who referred you may not read this. Please ring them, or somebody else named under “Who to call”.'
      : `The people who referred you are away. They are back on ${dayInWords(back)}, and will contact you by the end of the next working day after that, in the way that you said is safe.`;
  return [first, ...(ring === undefined ? [] : [ring])];
}

const peopleWhoReferred = 'The people who referred you';

/** Whether the name of the referrer's organisation says as much as that of a sensitive service, for example on a leaflet that others find. */
function hasSensitiveReferrer(
  db: Db,
  { referrerOrganisationId, content }: Pick<Referral, 'referrerOrganisationId' | 'content'>,
): Promise<boolean> {
  const name = content.referrer.organisation;
  return isSensitiveOrganization(db, { organisationId: referrerOrganisationId, name });
}

/** The same for the organisation that runs the service. Even if this service is not sensitive, most of its others may be. */
export function hasSensitiveOrganization(db: Db, { service }: Pick<Referral, 'service'>): Promise<boolean> {
  return isSensitiveOrganization(db, { name: service.organization_name });
}

/**
 * The referrer may say within a day that an ending by link was a mistake, and the service may take back its decline within minutes. Until
 * then the person is not told of it.
 */
async function asPersonSees(
  roomsAbove: RoomsAbove,
  db: Db,
  referral: Referral,
  now: Date,
): Promise<Referral> {
  if (referral.declineFinalAt && referral.declineFinalAt > now)
    return { ...referral, status: 'requested', status_reason: null, due_at: null };
  const ended = openStatuses.includes(referral.status)
    ? null
    : await roomsAbove.findEndingByLink(db, referral.id);
  if (!ended || now.getTime() - ended.at.getTime() >= checkTimeMs) return referral;
  const { status, reason: status_reason, expectedDate: expected_date, nextDate: next_date } = ended.before;
  return { ...referral, status, status_reason, expected_date, next_date, due_at: null };
}

type Names = { where: string; by: string; referred: string };

function wordsFor(referral: Referral, names: Names): Pick<DescriptionForPerson, 'now' | 'next'> {
  const { status, status_reason: reason } = referral;
  const { now, next } = statusWords[status](referral, names);
  const why = reason && unsuccessfulStatuses.includes(status) ? reasonWordsForPerson[reason.code] : undefined;
  return { now: why ? [...now, why] : now, next };
}

type Words = (referral: Referral, names: Names) => Pick<DescriptionForPerson, 'now' | 'next'>;

const statusWords: Readonly<Record<Referral['status'], Words>> = {
  requested: ({ requested_at, due_at }, { where, referred }) => ({
    now: [`${referred} to ${where} on ${dayInWords(requested_at)}.`, 'They have not answered yet.'],
    next: [
      due_at
        ? `They should answer by ${dayInWords(due_at)}.`
        : 'The people who referred you can tell you when they have answered.',
    ],
  }),
  accepted: ({ next_date, first_contact_at }, { where }) => ({
    now: [upperFirst(`${where} said yes: they will help you.`)],
    next: [
      first_contact_at || !next_date
        ? 'They will tell you when you can begin.'
        : `They will contact you by ${dayInWords(next_date)}, in the way that you said is safe.`,
    ],
  }),
  'in-progress': (_, { where }) => ({
    now: [upperFirst(`${where} has started to help you.`)],
    next: ['They will agree with you what comes next.'],
  }),
  'on-hold': ({ expected_date }, { where }) => ({
    now: [`You are on the waiting list of ${where}.`],
    next: [
      expected_date
        ? `They expect to have a place for you on ${dayInWords(expected_date)}. It can be later.`
        : 'They do not know yet when they will have a place for you.',
      'Ring them if things get worse while you wait.',
    ],
  }),
  completed: (_, { where }) => ({
    now: [`Your help from ${where} has ended.`],
    next: ['If you need more help, ring the people who referred you.'],
  }),
  rejected: (_, { where, by }) => ({
    now: [upperFirst(`${where} cannot help you at the moment.`)],
    next: [`${by} should look for other help for you. Ring them if you do not hear from them this week.`],
  }),
  failed: (_, { where }) => ({
    now: [`Your referral to ${where} has ended.`],
    next: ['If you still need help, ring the people who referred you.'],
  }),
  cancelled: (_, { where }) => ({
    now: [`Your referral to ${where} was cancelled.`],
    next: ['If you still need help, ring the people who referred you.'],
  }),
  // Its page has ended.
  'entered-in-error': () => ({ now: [], next: [] }),
};

/** A reason is missing here if fixed words could hurt, or would help nobody. */
const reasonWordsForPerson: Readonly<Partial<Record<ReasonCode, string>>> = {
  'no-capacity': 'They have no place at the moment.',
  'not-eligible': 'They help a different group of people, for example of another age.',
  'out-of-area': 'They do not help people in your area.',
  'failed-contact': 'They could not reach you.',
  'missing-information': 'They need to know more than they were told.',
  'client-declined': 'They were told that you do not want it.',
  'unsuitable-time': 'The times do not suit you.',
  transport: 'You cannot get there.',
  'needs-met-otherwise': 'They were told that you have found other help.',
  'moved-away': 'They were told that you have moved away.',
};

/** The coming appointments. There are none once the referral has ended, because the person would go for nothing. */
async function appointmentsInWords(
  db: Db,
  referral: Referral,
  { now, mayNamePlace }: { now: Date; mayNamePlace: boolean },
): Promise<string[]> {
  if (!openStatuses.includes(referral.status)) return [];
  const ahead = (referral.content.appointments ?? []).filter(
    ({ at, cancelled }) => !cancelled && new Date(at) > now,
  );
  if (ahead.length === 0) return [];
  const isHidden = !mayNamePlace || (await findReferralMarks(db)).isSensitiveOrConfidential(referral);
  return ahead.map(({ at, kind, place }) =>
    [momentInWords(new Date(at)), contactKinds[kind].toLowerCase(), isHidden ? undefined : place]
      .filter((part) => part !== undefined)
      .join(', '),
  );
}

/** The people to ring: first those who know the person. */
async function whomToRing(
  db: Db,
  { id, content, service }: Referral,
  mayName: { service: boolean; referrer: boolean },
): Promise<DescriptionForPerson['toRing']> {
  const telephones = await findTelephones(db, id);
  const { name, organisation } = content.referrer;
  const known = [
    {
      who: mayName.referrer ? [name, organisation].filter(Boolean).join(', ') : peopleWhoReferred,
      telephone: telephones.referrer,
    },
    { who: service.name, telephone: mayName.service ? telephones.service : null },
  ];
  return known.flatMap(({ who, telephone }) => (telephone === null ? [] : [{ who, telephone }]));
}
