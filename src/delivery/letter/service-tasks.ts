import { lowerFirst, upperFirst } from '../../platform/first-letter.ts';
import { isRiskToRead, type Referral } from '../../referrals/index.ts';
import { hasDied, isSaidToHaveDied } from './codes.ts';
import { type ActionBox, isFirstSinceDeathUndone, type ServiceLetterInput, type Task } from './letter.ts';
import { ourLetter } from './letter-order.ts';
import { contactForService, markOfWay, whoseTelephone } from './practice/contact-in-words.ts';
import { hasCrisis, hasUrgentNewsForService } from './sections.ts';
import {
  dateWithWeekday,
  joinWithCommas,
  momentWithWeekday,
  momentWithWeekdayAndTime,
  withoutLineBreaks,
} from './words.ts';

/**
 * The box at the top of a letter to a service: what to do, by when and where. Above that it warns of dangers, and names the sections to
 * read first.
 */
export function boxForService(referral: Referral, options: ServiceLetterInput): ActionBox {
  const { purpose } = options;
  const goesOn = purpose === 'referral' && !isSaidToHaveDied(referral);
  const next = goesOn ? nextTask(referral, options) : undefined;
  if (next === undefined) return boxAtEnd(referral, options);
  const warnings = warningsFor(referral, options);
  return {
    heading: headingFor(referral, options),
    tasks: tasksFor(referral, options, next),
    warnings: [...warnings, ...contactWarning(referral), ...practiceWarning(referral)],
    words: bookedInWords(referral, options),
    mustBeRead: true,
    weight: warnings.length > 0 || hasUrgentNewsForService(options) ? 'danger' : 'action',
    questions: questionsForService(referral, options),
  };
}

/** The service has nothing more to do, but the person may expect what it arranged, or staff may have rung them by mistake. */
function boxAtEnd(referral: Referral, options: ServiceLetterInput): ActionBox {
  const { heading, tasks, isPlain = false } = atEnd(referral, options);
  return {
    heading,
    tasks: tasks.map((text) => ({ text })),
    warnings: [],
    // After a mistake, nobody should read about that person again.
    words:
      referral.status === 'entered-in-error' ? [] : [`The referral is here: ${addressOf(referral, options)}`],
    mustBeRead: false,
    weight: isPlain ? 'plain' : 'action',
    questions: questionsForService(referral, options),
  };
}

/** Readers of the box alone must not ring somebody who has died, or whose referral was a mistake. */
function atEnd(
  referral: Referral,
  options: ServiceLetterInput,
): { heading: string; tasks: string[]; isPlain?: boolean } {
  const ring = whomServiceRings(referral, options);
  if (referral.status === 'entered-in-error')
    return {
      heading: 'The referral was a mistake',
      tasks: [
        'Do not contact the person about it.',
        'Destroy our earlier letters about it, and what you noted from them.',
        `If you have contacted the person already: ${ring}.`,
      ],
    };
  const booked = bookedMoments(referral, options);
  const inBrackets = booked === undefined ? '' : ` (${booked})`;
  if (isSaidToHaveDied(referral))
    return {
      heading: 'We were told that the person has died',
      tasks: [
        'Do not ring, write or visit. Tell everybody of yours who knows the person.',
        `To cancel something that you arranged${inBrackets}, or if you know that the person is alive: ${ring}.`,
        ...(hasDied(referral)
          ? []
          : [
              'Find out whether it is true. Then confirm it, or say that the person is alive, on the page of the referral.',
            ]),
      ],
    };
  return {
    heading: 'The referral has ended',
    tasks: [
      'Do not contact the person about it. Do nothing more.',
      booked === undefined
        ? `If you have arranged something with them: ${ring}, before you cancel it. They may not know that the referral has ended.`
        : `${upperFirst(booked)}: ${ring}, before you cancel ${booked.startsWith('appointments') ? 'them' : 'it'}. The person may not know that the referral has ended.`,
    ],
    isPlain: true,
  };
}

/** “appointment on Thursday 3 December 2026 at 10:00am”. Undefined if the site knows of none. */
function bookedMoments({ content }: Referral, { date }: ServiceLetterInput): string | undefined {
  const booked = (content.appointments ?? []).filter((each) => !each.cancelled && new Date(each.at) > date);
  if (booked.length === 0) return undefined;
  const moments = booked.map(({ at }) => momentWithWeekdayAndTime(at));
  return `${booked.length === 1 ? 'appointment' : 'appointments'} on ${new Intl.ListFormat('en-GB').format(moments)}`;
}

/** The appointments, because the date in the heading may be months later. */
function bookedInWords(referral: Referral, options: ServiceLetterInput): string[] {
  const booked = bookedMoments(referral, options);
  return booked === undefined ? [] : [`Booked: ${booked}.`];
}

/** News comes before any date, because somebody may have to act on it today. */
function headingFor(referral: Referral, options: ServiceLetterInput): string {
  const { status, urgency } = referral;
  if (hasCrisis(options)) return 'CRISIS – act now';
  const urgent = urgency === 'urgent' ? 'URGENT – ' : '';
  if (status === 'requested' && isRiskToRead(referral.content, options.site.crisisPhrases))
    return `${urgent}Risk of serious harm – read${referral.content.contact?.safe === 'no' ? ' and ring' : ''} today`;
  if (hasUrgentNewsForService(options)) return `${urgent}${urgent ? 'news' : 'News'} to read today`;
  const day = dayOf(referral);
  return `${urgent}For you to ${status === 'requested' ? 'answer' : 'do'}${day ? ` by ${day}` : ''}`;
}

function dayOf({ status, due_at, next_date }: Referral): string | undefined {
  if (status === 'requested') return due_at ? momentWithWeekday(due_at) : undefined;
  return next_date ? dateWithWeekday(next_date) : undefined;
}

/** Dangers, and the sections to read before doing anything. */
function warningsFor(referral: Referral, options: ServiceLetterInput): string[] {
  const { content } = referral;
  const { site } = options;
  return [
    ...(isFirstSinceDeathUndone(referral, options)
      ? ['THE PERSON IS ALIVE. Our letter that said otherwise was wrong.']
      : []),
    ...(hasCrisis(options)
      ? ['The news since the referral was sent may describe a crisis. We do not know that anybody has acted.']
      : []),
    ...(isRiskToRead(content, site.crisisPhrases) ? ['Read first: “Risk of serious harm”.'] : []),
    ...(content.contact?.safe === 'no'
      ? [`Do not contact the person. ${upperFirst(whomServiceRings(referral, options))}.`]
      : []),
    ...(hasTwoAnswers(referral, options)
      ? ['Two referrals say different things about safe contact. Go by the more careful one.']
      : []),
  ];
}

/** What somebody must know before they ring: they may need an interpreter, and must not leave a voicemail. */
function contactWarning({ content: { contact, patient } }: Referral): string[] {
  if (contact?.safe === 'no') return [];
  const interpreter = patient.communication_needs?.interpreter?.replace(/\.$/, '');
  const words = [
    ...(interpreter ? [`Book an interpreter before you contact the person: ${interpreter}.`] : []),
    ...(contact?.voicemail === false ? ['No voicemail.'] : []),
  ];
  return words.length === 0 ? [] : [words.join(' ')];
}

/** The person may have withdrawn their agreement since the service last rang the practice. */
function practiceWarning({ content: { consent } }: Referral): string[] {
  return consent.share_with_gp === false ? ['Do not contact the GP practice about this person.'] : [];
}

function hasTwoAnswers(
  { content: { contact } }: Referral,
  { contactElsewhere }: ServiceLetterInput,
): boolean {
  return contact?.safe !== 'no' && contactElsewhere.some(({ stricter }) => stricter);
}

/** Safety comes first, then what to do with the referral, and papers last. */
function tasksFor(referral: Referral, options: ServiceLetterInput, next: Task): Task[] {
  const { contact } = referral.content;
  const { replacesLetterOf, changes = [] } = options;
  const ring = whomServiceRings(referral, options);
  const day = dayOf(referral);
  const isNew = changes.some(({ field }) => field === 'contact');
  const saysHow = contact?.safe !== 'no' && (referral.status !== 'requested' || isNew);
  return [
    ...lifeChangeTasksForService(referral, options),
    ...tasksToDelete(options),
    ...(hasTwoAnswers(referral, options) ? [{ text: `Before any contact with the person: ${ring}.` }] : []),
    ...(saysHow
      ? [{ text: `${isNew ? 'Safe contact has changed. ' : ''}${howToContact(referral, options)}` }]
      : []),
    withDay(next, referral, options, day),
    ...(replacesLetterOf
      ? [{ text: `When you file this: mark ${ourLetter(options, replacesLetterOf)} as superseded.` }]
      : []),
  ];
}

/** A file that was removed from the referral may be about somebody else, and staff may have saved it. */
function tasksToDelete({ changes = [] }: ServiceLetterInput): Task[] {
  const removed = changes.filter(({ field }) => field === 'attachments');
  return removed.map(({ from }) => ({
    text: `Today: delete every copy that you have of ${lowerFirst(`${from}`)}, on computers and on paper.`,
    details: 'It was attached by mistake. Do not use what it says',
  }));
}

function lifeChangeTasksForService(referral: Referral, options: ServiceLetterInput): Task[] {
  const ring = whomServiceRings(referral, options);
  if (options.news.length === 0) return [];
  if (!hasUrgentNewsForService(options)) return [{ text: 'Read “Messages since the referral was sent”.' }];
  if (hasCrisis(options))
    return [
      { text: 'Now: read “News since the referral was sent”, below.' },
      {
        text: `Now: ${ring}. Ask what has been done, and who does what.`,
        details: 'If somebody may be in danger now, or if nobody answers and you are not sure, call 999',
      },
    ];
  return [
    { text: 'Today: read “News since the referral was sent”.' },
    {
      text: `If it may mean danger, or you are not sure: ${ring}, today.`,
      details: 'If somebody is in danger now, call 999',
    },
  ];
}

/** The step names the day, unless the heading does. */
function withDay(next: Task, referral: Referral, options: ServiceLetterInput, day: string | undefined): Task {
  if (hasCrisis(options)) return { ...next, text: `Only then: ${lowerFirst(next.text)}` };
  const isInHeading = day === undefined || headingFor(referral, options).includes(day);
  return isInHeading ? next : { ...next, text: `By ${day}: ${lowerFirst(next.text)}` };
}

/** In the words of the section below, so that nobody has to look it up. */
function howToContact({ content }: Referral, { changes = [], date }: ServiceLetterInput): string {
  const { contact, patient } = content;
  if (contact === undefined || contact.safe === 'not_asked')
    return 'Each time, before you ring or write: read “Before you contact the patient”.';
  const number = withoutLineBreaks(patient.telephone);
  // The service has the number, unless it or the answer about contact has changed.
  const isNew = changes.some(({ field }) => field === 'contact' || field === 'patient.telephone');
  const mayUse =
    isNew && number !== undefined && !markOfWay(contact, 'telephone', number).includes('do not use');
  const byTelephone = contact.channel === undefined || /phone|text/i.test(contact.channel);
  return `Each time you contact the person: ${lowerFirst(contactForService(contact, whoseTelephone(content, date)))}${mayUse && byTelephone ? ` Their number: ${number}.` : ''}`;
}

/** The next step, as the page of the referral says it. Undefined after the end. */
function nextTask(referral: Referral, options: ServiceLetterInput): Task | undefined {
  const { status, first_contact_at, content } = referral;
  const details = `${status === 'requested' ? 'Answer' : 'Do it'} here: ${addressOf(referral, options)}`;
  // If no contact is safe, the referrer knows how to meet the person.
  const instead = content.contact?.safe === 'no' ? content.referrer.name : undefined;
  switch (status) {
    case 'requested':
      return {
        text: 'Accept it (you can then put the person on your waiting list), or decline it and say why.',
        details,
      };
    case 'accepted':
      return first_contact_at
        ? { text: 'Start, or say how it goes. You have accepted this referral.', details }
        : {
            text: `${instead ? `Ask ${instead} how to meet the person` : 'Contact the person for the first time'}, and record it. You have accepted this referral.`,
            details,
          };
    case 'on-hold':
      return {
        text: `Ask ${instead ?? 'the person'} whether ${instead ? 'the person' : 'they'} can still wait safely, and record the answer. They are on your waiting list.`,
        details,
      };
    case 'in-progress':
      return { text: 'Say how it goes, or complete the referral. You have started.', details };
    default:
      return undefined;
  }
}

function addressOf({ id }: Referral, { site }: ServiceLetterInput): string {
  return `${site.baseUrl}/referrals/${id}`;
}

function questionsForService(referral: Referral, options: ServiceLetterInput): string {
  const { name, organisation } = referral.content.referrer;
  return whomServiceRings(referral, options, `${joinWithCommas(name, organisation)} (who referred)`);
}

function whomServiceRings(
  { content: { referrer } }: Referral,
  { news, site, referrerTelephone }: ServiceLetterInput,
  who = referrer.name,
): string {
  const telephone = withoutLineBreaks(referrer.telephone ?? referrerTelephone ?? news[0]?.telephone);
  if (telephone) return `ring ${who}, ${telephone}`;
  return `ask ${who} on the page of the referral${site.operatorContact ? `; or ${site.operatorContact}` : ''}`;
}
