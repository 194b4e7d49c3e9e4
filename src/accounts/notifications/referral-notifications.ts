import type { Trx } from '../../platform/database/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { choiceLookup } from './choices-store.ts';
import { addToDigests } from './digests-store.ts';
import { defaultChoice, type NotificationChoice, type NotificationKind, notificationRules } from './kinds.ts';
import { headingWithUrgency, type MailedReferral, referenceInWords, urgentFirst } from './urgency.ts';

/** News of one kind about some referrals, and the people who may want to know. */
export type Notification = {
  readonly kind: NotificationKind;
  readonly people: readonly Person[];
  /** The people to tell instead, if all of `people` switched off emails that somebody has to get. */
  readonly ifAllSwitchedOff?: readonly Person[];
  readonly referrals: readonly MailedReferral[];
};

type Person = { readonly id: string; readonly email: string };

/** Tells people of news about referrals, as each of them chose. */
export async function tellPeople(trx: Trx, deps: Platform, news: readonly Notification[]): Promise<void> {
  const split = await storeDigestsAndSplit(trx, deps, news);
  const mails = split.map(({ atOnce, ...each }) => composeNotification(deps.settings, atOnce, each));
  await mailPeople(trx, deps, 'news', ...mails);
}

/**
 * Splits the people of each piece of news by their choice, and stores the news for those who chose one email a day. If a referral is
 * urgent or dangerous, and everybody switched off what somebody has to know, all of them are told at once.
 * @returns the news, each with the people to email at once.
 */
export async function storeDigestsAndSplit<SomeNotification extends Notification>(
  trx: Trx,
  { clock }: Pick<Platform, 'clock'>,
  news: readonly SomeNotification[],
): Promise<(SomeNotification & { atOnce: readonly Person[] })[]> {
  const peopleWho = await peopleByChoice(trx, news);
  const told = news.map((each) => withFallbackPeople(each, peopleWho));
  const at = clock.now();
  const entries = told.flatMap((each) =>
    peopleWho('daily', each).flatMap((person) =>
      each.referrals.map(({ id }) => ({ accountId: person.id, kind: each.kind, referralId: id, at })),
    ),
  );
  await addToDigests(trx, entries);
  return told.map((each) => ({ ...each, atOnce: peopleAtOnce(each, peopleWho) }));
}

/** The people of a piece of news who chose this. */
type PeopleWho = (choice: NotificationChoice, news: Notification) => readonly Person[];

async function peopleByChoice(trx: Trx, news: readonly Notification[]): Promise<PeopleWho> {
  const ids = news.flatMap(({ people, ifAllSwitchedOff = [] }) =>
    [...people, ...ifAllSwitchedOff].map(({ id }) => id),
  );
  const choiceOf = await choiceLookup(trx, [...new Set(ids)]);
  return (choice, { kind, people }) => {
    const { alwaysAtOnce } = notificationRules[kind];
    return people.filter(
      ({ id }) => ((alwaysAtOnce ? undefined : choiceOf(id, kind)) ?? defaultChoice) === choice,
    );
  };
}

function isOffForAll(news: Notification, peopleWho: PeopleWho): boolean {
  return peopleWho('off', news).length === news.people.length;
}

/** If everybody switched off what somebody has to know, it goes to `ifAllSwitchedOff`. */
function withFallbackPeople<SomeNotification extends Notification>(
  news: SomeNotification,
  peopleWho: PeopleWho,
): SomeNotification {
  const { ifAllSwitchedOff, kind } = news;
  return ifAllSwitchedOff && notificationRules[kind].mustReachSomebody && isOffForAll(news, peopleWho)
    ? { ...news, people: ifAllSwitchedOff }
    : news;
}

/** Urgent or dangerous news reaches everybody if all of them switched it off. */
function peopleAtOnce(news: Notification, peopleWho: PeopleWho): readonly Person[] {
  const { mustReachSomebody, urgentReachesSomebody } = notificationRules[news.kind];
  const isUrgent = news.referrals.some((referral) => referral.isUrgent || referral.isDangerous);
  const reachesSomebody = (mustReachSomebody || urgentReachesSomebody) && isUrgent;
  return reachesSomebody && isOffForAll(news, peopleWho) ? news.people : peopleWho('at-once', news);
}

/** What an email says of referrals with news of one kind. One that is urgent or with a risk of harm has to stand out among the rest. */
export function newsInWords(
  kind: NotificationKind,
  referrals: readonly Pick<MailedReferral, 'isUrgent' | 'isDangerous'>[],
): string {
  const { one, several } = notificationRules[kind];
  return headingWithUrgency(referrals.length === 1 ? one : several(referrals.length), referrals);
}

/** The subject of an email about one referral. It passes through less protected places, and does not say that somebody has died. */
export function subjectAboutOne(
  kind: NotificationKind,
  referral: Pick<MailedReferral, 'isUrgent' | 'isDangerous'>,
): string {
  const { one, subject = one } = notificationRules[kind];
  return headingWithUrgency(subject, [referral]);
}

/** The email names no person and no service. */
function composeNotification(
  { baseUrl }: Platform['settings'],
  people: readonly Person[],
  { kind, referrals }: Pick<Notification, 'kind' | 'referrals'>,
): MailToPeople {
  const { whatNow, alwaysAtOnce } = notificationRules[kind];
  const news = newsInWords(kind, referrals);
  const isOne = referrals.length === 1;
  const [first] = referrals;
  return {
    to: people.map(({ email }) => email),
    subject: isOne ? `${subjectAboutOne(kind, first!)}: ${first!.reference}` : news,
    paragraphs: [
      isOne ? `${news}: ${first!.reference}` : `${news}.`,
      whatNow,
      linesFor(baseUrl, kind, referrals),
      ...(alwaysAtOnce ? [] : [howToChoose(baseUrl)]),
    ],
  };
}

/** A line for each referral, with its link. */
export function linesFor(
  baseUrl: string,
  kind: NotificationKind,
  referrals: readonly MailedReferral[],
): string {
  const lines = urgentFirst(referrals).map((each) => {
    const path = kind === 'needs-operator' ? '/operator/deliveries' : `/referrals/${each.id}`;
    return `${referenceInWords(each)}: ${baseUrl}${path}`;
  });
  return lines.join('\n');
}

export const howToChoose = (baseUrl: string) =>
  `You can choose which emails you get, and how often: ${baseUrl}/account/emails`;
