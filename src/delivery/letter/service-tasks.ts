import { isRiskToRead, type Referral } from '../../referrals/index.ts';
import type { ActionBox, LetterToService, Task } from './letter.ts';
import { ourLetter } from './letter-order.ts';
import { dateInWords, listed, momentAsDay, unbroken } from './words.ts';

/**
 * What the service has to do, by when and where, in a box at the top of its letter. What may be dangerous comes before that: the sections
 * that it names follow at once.
 */
export function boxForService(referral: Referral, options: LetterToService): ActionBox {
  const { status } = referral;
  const warnings = options.purpose === 'referral' ? warningsFor(referral, options) : [];
  const tasks = options.purpose === 'referral' ? tasksFor(referral, options) : [];
  const hasEnded = tasks.length === 0;
  return {
    heading: hasEnded ? 'Nothing more for you to do – the referral has ended' : headingFor(referral),
    tasks,
    warnings,
    words: hasEnded
      ? [
          status === 'entered-in-error'
            ? 'The referral was a mistake. Do not contact the person about it.'
            : 'Do nothing more about this referral. If you have arranged anything, ask who referred before you cancel it with the person.',
          `It is here: ${addressOf(referral, options)}`,
        ]
      : [],
    mustBeRead: !hasEnded,
    weight: warnings.length > 0 ? 'danger' : hasEnded ? 'plain' : 'action',
    questions: whomToRing(referral, options),
  };
}

function headingFor({ status, urgency, due_at, next_date }: Referral): string {
  const urgent = urgency === 'urgent' ? 'URGENT – ' : '';
  if (status === 'requested')
    return `${urgent}For you to answer${due_at ? ` by ${momentAsDay(due_at)}` : ''}`;
  return `${urgent}For you to do${next_date ? ` by ${dateInWords(next_date)}` : ''}`;
}

/** Each names a section that must be read before anything is done. */
function warningsFor({ content }: Referral, { news, site, contactElsewhere }: LetterToService): string[] {
  const isStricter = contactElsewhere.some(({ stricter }) => stricter);
  return [
    ...(news.length > 0 ? ['Read first: “News since the referral was sent”.'] : []),
    ...(isRiskToRead(content, site.crisisPhrases) ? ['Read first: “Risk of serious harm”.'] : []),
    ...(content.contact?.safe === 'no'
      ? ['Do not contact the person: the next red box says whom to ring.']
      : []),
    ...(content.contact?.safe !== 'no' && isStricter
      ? ['Read before you ring or write: two answers about safe contact differ.']
      : []),
  ];
}

function tasksFor(referral: Referral, options: LetterToService): Task[] {
  const { status, content } = referral;
  const next = nextTask(referral, options);
  if (next === undefined) return [];
  const update: Task[] = options.replacesLetterOf
    ? [
        {
          text: `Mark ${ourLetter(options, options.replacesLetterOf)} as superseded, and go by this one alone.`,
        },
      ]
    : [];
  const safeContact: Task[] =
    content.contact?.safe === 'no' || status === 'requested'
      ? []
      : [{ text: 'Read “Before you contact the patient” each time, before you ring or write.' }];
  return [...update, next, ...safeContact];
}

/** What the page of the referral says comes next. */
function nextTask(referral: Referral, options: LetterToService): Task | undefined {
  const { status, first_contact_at } = referral;
  const here = `Do it here: ${addressOf(referral, options)}`;
  switch (status) {
    case 'requested':
      return {
        text: 'Accept it, put the person on your waiting list, or decline it and say why.',
        details: `Answer here: ${addressOf(referral, options)}`,
      };
    case 'accepted':
      return {
        text: first_contact_at
          ? 'You have accepted this referral. Start, or say how it goes.'
          : 'You have accepted this referral. Contact the person for the first time, and record it.',
        details: here,
      };
    case 'on-hold':
      return {
        text: 'The person is on your waiting list. Check that it is still safe for them to wait, and record it.',
        details: here,
      };
    case 'in-progress':
      return { text: 'You have started. Say how it goes, or complete the referral.', details: here };
    default:
      return undefined;
  }
}

function addressOf({ id }: Referral, { site }: LetterToService): string {
  return `${site.baseUrl}/referrals/${id}`;
}

function whomToRing({ content: { referrer } }: Referral, { news, site }: LetterToService): string {
  const telephone = unbroken(referrer.telephone ?? news[0]?.telephone);
  const who = listed(referrer.name, referrer.organisation);
  if (telephone) return `ring ${who} (who referred), ${telephone}`;
  return `ask ${who} (who referred) on the page of the referral${site.operatorContact ? `; or ${site.operatorContact}` : ''}`;
}
