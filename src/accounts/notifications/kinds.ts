import type { Role } from '../model/account.ts';

/** The kinds of news that people are told of by email, in the order of the page on which they choose. */
export const notificationKinds = [
  'new-referral',
  'withdrawn',
  'reopened',
  'became-urgent',
  'urgent-message',
  'urgent-news',
  'overdue',
  'accepted',
  'waiting-list',
  'declined',
  'unanswered',
  'ended',
  'message',
  'file',
  'changed',
  'person-said',
  'death',
  'death-undone',
  'restricted',
  'unrestricted',
  'erased',
  'file-with-virus',
  'opened',
  'assigned',
  'reminder',
  'undelivered',
  'needs-operator',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const notificationChoices = ['at-once', 'daily', 'off'] as const;
export type NotificationChoice = (typeof notificationChoices)[number];

/** The choice that counts for people who have not chosen. */
export const defaultChoice: NotificationChoice = 'at-once';

export const choiceWords: Readonly<Record<NotificationChoice, string>> = {
  'at-once': 'At once',
  daily: 'Once a day',
  off: 'No email',
};

type KindRules = {
  /** The roles of people who may get the email. */
  readonly roles: readonly Role[];
  /** The name of the kind on the page where people choose. */
  readonly label: string;
  /** The sentence of an email about one referral, and about several. Neither names a person or a service. */
  readonly one: string;
  readonly several: (count: number) => string;
  /** The subject of an email about one referral, where the sentence would tell too much of the person. */
  readonly subject?: string;
  /** The sentence after it: what the reader does now, or what there is to know. */
  readonly whatNow: string;
  /** At least one person of each organisation has to get the email. */
  readonly mustReachSomebody?: true;
  /** If everybody has switched it off, they still get it when it is urgent or somebody is at risk. */
  readonly urgentReachesSomebody?: true;
  /** Everybody gets the email at once: nobody can choose to get it later, or not at all. */
  readonly alwaysAtOnce?: true;
};

const answered = {
  roles: ['referrer'],
  one: 'A referral you made has been answered',
  several: (count: number) => `${count} referrals you made have been answered`,
} as const;

const readDangerNow =
  'It may tell of somebody in danger. Open it now, and read it. If somebody is in danger now, call 999.';

export const notificationRules: Readonly<Record<NotificationKind, KindRules>> = {
  'new-referral': {
    roles: ['provider'],
    label: 'A new referral to your services',
    one: 'You have a new referral',
    several: (count) => `You have ${count} new referrals`,
    whatNow: 'Open it to accept or decline it.',
    urgentReachesSomebody: true,
  },
  withdrawn: {
    roles: ['provider'],
    label: 'A referral to your services was cancelled',
    one: 'A referral to your service was cancelled',
    several: (count) => `${count} referrals to your services were cancelled`,
    whatNow: 'There is no need to contact the person. Open it to read why.',
  },
  reopened: {
    roles: ['provider', 'referrer'],
    label: 'A referral that had ended is open again',
    one: 'A referral is open again',
    several: (count) => `${count} referrals are open again`,
    whatNow: 'It had ended by mistake, and goes on as before. Contact the person as before.',
    mustReachSomebody: true,
  },
  'became-urgent': {
    roles: ['provider', 'referrer'],
    label: 'A referral became urgent',
    one: 'A referral has become urgent',
    several: (count) => `${count} referrals have become urgent`,
    whatNow: 'Open it to see what has changed.',
    alwaysAtOnce: true,
  },
  'urgent-message': {
    roles: ['provider', 'referrer'],
    label: 'A message with words of a crisis',
    one: 'Urgent: a message about a referral needs you today',
    several: (count) => `Urgent: messages about ${count} referrals need you today`,
    whatNow: readDangerNow,
    alwaysAtOnce: true,
  },
  'urgent-news': {
    roles: ['provider', 'referrer'],
    label: 'News with words of a crisis',
    one: 'Urgent: news about a referral needs you today',
    several: (count) => `Urgent: news about ${count} referrals needs you today`,
    whatNow: readDangerNow,
    alwaysAtOnce: true,
  },
  overdue: {
    roles: ['provider'],
    label: 'A referral to your services is overdue',
    one: 'A referral is overdue',
    several: (count) => `${count} referrals are overdue`,
    whatNow: 'Open it to answer, or to say how the person is getting on.',
    mustReachSomebody: true,
  },
  accepted: { ...answered, label: 'A referral you made was accepted', whatNow: 'The service accepted it.' },
  'waiting-list': {
    ...answered,
    label: 'A person you referred is on a waiting list',
    whatNow: 'The person is on the waiting list. Open it to see for how long.',
  },
  declined: {
    ...answered,
    label: 'A referral you made was declined',
    whatNow:
      'It was declined. Open it to read why, and find another service. If that was by the link in an email, you can check it for 24 hours.',
  },
  unanswered: {
    roles: ['referrer'],
    label: 'A referral you made was closed, because nobody answered',
    one: 'Nobody answered a referral you made, so the site closed it',
    several: (count) => `Nobody answered ${count} referrals you made, so the site closed them`,
    whatNow: 'Open it to telephone the service, or to find another service.',
    mustReachSomebody: true,
  },
  ended: {
    roles: ['referrer'],
    label: 'A referral you made was completed or closed',
    one: 'A referral you made has ended',
    several: (count) => `${count} referrals you made have ended`,
    whatNow:
      'Open it to read how it ended. If that was by the link in an email, you can check it for 24 hours.',
  },
  message: {
    roles: ['provider', 'referrer'],
    label: 'A message about a referral',
    one: 'You have a message about a referral',
    several: (count) => `You have messages about ${count} referrals`,
    whatNow: 'Open it to read the message and reply.',
  },
  file: {
    roles: ['provider', 'referrer'],
    label: 'A file was added to a referral',
    one: 'A file was added to a referral',
    several: (count) => `Files were added to ${count} referrals`,
    whatNow: 'Open the referral to see it.',
  },
  changed: {
    roles: ['provider', 'referrer'],
    label: 'Details of a referral were changed',
    one: 'Details of a referral were changed',
    several: (count) => `Details of ${count} referrals were changed`,
    whatNow: 'Open it to see what is different.',
  },
  'person-said': {
    roles: ['provider', 'referrer'],
    label: 'The person said whether they got help',
    one: 'The person said how it went',
    several: (count) => `The people in ${count} referrals said how it went`,
    whatNow: 'Open the referral to read what they said.',
  },
  death: {
    roles: ['provider', 'referrer'],
    label: 'A person is reported to have died',
    one: 'A person is reported to have died',
    subject: 'Do not contact a person before you have read this',
    several: (count) => `The people in ${count} referrals are reported to have died`,
    whatNow: 'Do not ring, write to or visit the person before you have opened it.',
    alwaysAtOnce: true,
  },
  'death-undone': {
    roles: ['provider', 'referrer'],
    label: 'A reported death was a mistake',
    one: 'A reported death was a mistake: the referral goes on',
    subject: 'A referral goes on',
    several: (count) => `The reported deaths of ${count} referrals were a mistake: they go on`,
    whatNow: 'Open it and carry on where you left off.',
    alwaysAtOnce: true,
  },
  restricted: {
    roles: ['provider', 'referrer'],
    label: 'A referral was restricted',
    one: 'A referral is restricted',
    several: (count) => `${count} referrals are restricted`,
    whatNow:
      'Nobody can read it or work with it for now, and nothing of it is sent. It cannot tell you whether the person is in danger: if you know that they are, ring the other side. If you need to know why, ask the people who run this site.',
    alwaysAtOnce: true,
  },
  unrestricted: {
    roles: ['provider', 'referrer'],
    label: 'A referral is no longer restricted',
    one: 'A referral is no longer restricted',
    several: (count) => `${count} referrals are no longer restricted`,
    whatNow: 'Both sides can read it and work with it again. Open it and carry on where you left off.',
    alwaysAtOnce: true,
  },
  erased: {
    roles: ['provider', 'referrer'],
    label: 'A referral was erased',
    one: 'A referral was erased',
    several: (count) => `${count} referrals were erased`,
    whatNow:
      'What it said is gone from this site for good, and so are messages and letters that waited. If you know of something that was still to be done for the person, do it, or ring the other side. If you need to know why, ask the people who run this site.',
    alwaysAtOnce: true,
  },
  'file-with-virus': {
    roles: ['provider', 'referrer'],
    label: 'A file of a referral has a virus',
    one: 'A file of a referral has a virus',
    several: (count) => `Files of ${count} referrals have a virus`,
    whatNow:
      'The virus scanner could not look at it when it was attached, and has done so now. Nobody can open it any more. If your side attached it, the computer it came from may be infected: tell your IT team today, and attach a clean copy. If your side opened it, tell your IT team too, and delete your copies.',
    alwaysAtOnce: true,
  },
  opened: {
    roles: ['referrer'],
    label: 'A colleague opened a referral you made, with a reason',
    one: 'A colleague gave a reason and opened a referral you made',
    several: (count) => `Colleagues gave a reason and opened ${count} referrals you made`,
    whatNow: 'Open it to read who it was, and why. If that is not right, tell your Caldicott guardian.',
    alwaysAtOnce: true,
  },
  assigned: {
    roles: ['provider', 'referrer'],
    label: 'A colleague assigned a referral to you',
    one: 'A referral was assigned to you',
    several: (count) => `${count} referrals were assigned to you`,
    whatNow: 'A colleague asks you to look after it. You are told first of what is new.',
  },
  reminder: {
    roles: ['provider', 'referrer'],
    label: 'A reminder that you set',
    one: 'Your reminder of a referral',
    several: (count) => `Your reminders of ${count} referrals`,
    whatNow: 'You asked to be reminded today. Open it to continue, or to choose another day.',
  },
  undelivered: {
    roles: ['referrer'],
    label: 'A message about a referral you made could not be delivered',
    one: 'A message about a referral you made could not be delivered',
    several: (count) => `Messages about ${count} referrals you made could not be delivered`,
    whatNow: 'Somebody who runs this site is looking into it. Open it to see who has not been told.',
    mustReachSomebody: true,
  },
  'needs-operator': {
    roles: ['operator'],
    label: 'A message could not be delivered, or needs action',
    one: 'A message about a referral needs action',
    several: (count) => `Messages about ${count} referrals need action`,
    whatNow: 'See it under undelivered messages.',
    mustReachSomebody: true,
  },
};

/** The kinds that somebody with these roles may get, as they choose. */
export function kindsFor(roles: readonly Role[]): NotificationKind[] {
  return notificationKinds.filter(
    (kind) =>
      !notificationRules[kind].alwaysAtOnce &&
      notificationRules[kind].roles.some((role) => roles.includes(role)),
  );
}
