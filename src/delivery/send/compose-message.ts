import { lowerFirst } from '../../platform/first-letter.ts';
import { type DeliveryPurpose, isDangerous, type Referral } from '../../referrals/index.ts';
import type { OutgoingMessage, TextAroundLetter } from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { referralCode } from '../letter/codes.ts';
import { composeLetter } from '../letter/compose-letter.ts';
import type { BoxKind, PracticeLetterInput, ServiceLetterInput } from '../letter/letter.ts';
import { boxKind, isForAction, startOfTasks } from '../letter/practice/box/box-kind.ts';
import { type PreparedLetter, prepareLetter } from '../letter/practice/prepare-letter.ts';
import { receptionTasks } from '../letter/practice/tasks/reception-tasks.ts';
import { atOnce } from '../letter/practice/tasks/task.ts';
import { hasCrisis } from '../letter/sections.ts';
import { reopenedInWords } from '../letter/words.ts';
import { type Delivery, isCodesOnly } from '../model/delivery.ts';

type Site = ServiceLetterInput['site'];
type DeliveryToSend = Pick<
  Delivery,
  | 'id'
  | 'messageId'
  | 'externalId'
  | 'chosenChannel'
  | 'leg'
  | 'purpose'
  | 'receiverName'
  | 'receiverCode'
  | 'createdAt'
  | 'simulated'
> &
  Partial<
    Pick<
      Delivery,
      'replacesLetterOf' | 'changes' | 'letterFacts' | 'series' | 'reopened' | 'referrerTelephone'
    >
  > &
  Pick<ServiceLetterInput, 'contactElsewhere' | 'files' | 'news'>;

/**
 * The message of a delivery. Everything about the patient is in the letter. The subject and the text do not name them,
 * because they pass through less protected places.
 */
export function composeMessage(
  { settings: site, letterDrawer }: Pick<DeliveryDeps, 'letterDrawer'> & { settings: Site },
  delivery: DeliveryToSend,
  referral: Referral,
): OutgoingMessage {
  const { leg, createdAt, simulated, replacesLetterOf, changes, series, files, news, contactElsewhere } =
    delivery;
  const receiver = { name: delivery.receiverName, code: delivery.receiverCode };
  const common = {
    site,
    receiver,
    purpose: delivery.purpose,
    date: createdAt,
    test: simulated,
    replacesLetterOf,
    changes,
    series,
    files,
    contactElsewhere,
  };
  const { options, ...words } =
    leg === 'service'
      ? toService(referral, {
          ...common,
          leg,
          news,
          reopened: delivery.reopened,
          referrerTelephone: delivery.referrerTelephone,
        })
      : toPractice(referral, { ...common, leg, facts: delivery.letterFacts });
  return {
    id: delivery.messageId,
    deliveryId: delivery.id,
    externalId: delivery.externalId,
    chosenByHand: delivery.chosenChannel !== null,
    leg,
    purpose: delivery.purpose,
    createdAt,
    simulated,
    receiver,
    referral,
    codesOnly: isCodesOnly(leg, referral),
    contactElsewhere,
    news,
    personSays: leg === 'gp_practice' ? delivery.letterFacts?.personSays : undefined,
    ...words,
    text: ({ hasLetter, beforeLink = [], atEnd = [] }) =>
      [
        ...(simulated ? ['TEST – not a real patient.'] : []),
        ...words.text({ hasLetter, beforeLink }),
        ...atEnd,
        `Reference: ${referral.reference}${hasLetter && series ? `, letter ${series.number} to you about this referral` : ''}`,
        `Sent by ${site.siteName}, ${site.baseUrl}`,
      ].join('\n\n'),
    writtenLetter: () => composeLetter(referral, options),
    letter: () => letterDrawer.draw(composeLetter(referral, options)),
  };
}

function toService(referral: Referral, options: ServiceLetterInput) {
  const { replacesLetterOf, reopened } = options;
  const subject = subjectToService(referral, options);
  return {
    options,
    forAction: false,
    gpActions: undefined,
    code: referralCode,
    subject: replacesLetterOf && !reopened ? `Updated: ${lowerFirst(subject)}` : subject,
    text: (around: TextToService) => textToService(referral, options, around),
  };
}

function toPractice(referral: Referral, options: PracticeLetterInput) {
  const { purpose, replacesLetterOf } = options;
  const letter = prepareLetter(referral, options);
  const kind = boxKind(letter);
  const { actions, codes } = letter;
  // The last code is the more specific one.
  const code = codes.at(-1);
  const facts: LetterSummary = {
    kind,
    isUpdate: Boolean(replacesLetterOf),
    hasCode: code !== undefined,
    hasActions: actions.length > 0,
    tasksStart: startOfTasks(letter),
    tellsOfCrisis: letter.crisis !== undefined,
    forReception: stepsOfReception(letter),
  };
  return {
    options,
    forAction: isForAction(kind),
    gpActions: actions,
    code,
    subject: subjectToPractice(purpose, referral, facts),
    text: () => textToPractice(purpose, referral, facts),
  };
}

/** Whether reception has something to do. A clerk who sorts the post by its subjects would otherwise just file the letter. */
function stepsOfReception(letter: PreparedLetter): ReceptionSteps {
  const tasks = receptionTasks(letter);
  if (tasks.some(({ when }) => when === atOnce)) return 'at once';
  return tasks.length > 0 ? 'when filed' : 'none';
}

function subjectToService(referral: Referral, options: ServiceLetterInput): string {
  const { site, purpose } = options;
  const { urgency, reference, status, status_reason: reason } = referral;
  if (status === 'entered-in-error') return `Referral ${reference} was sent by mistake: read what to do`;
  // Subjects pass through less protected places, so this one does not say that somebody has died.
  if (reason?.code === 'died') return `Referral ${reference} has ended: do not contact the person`;
  if (purpose === 'outcome') return `Referral ${reference} has ended`;
  if (hasCrisis(options)) return `Urgent: news about a referral needs you today: ${reference}`;
  if (isDangerous(referral.content, site.crisisPhrases))
    return `Urgent: a referral with a risk to act on: ${reference}`;
  if (options.reopened) return `Open again: referral ${reference}`;
  const toDo = status === 'requested' ? 'for you to answer' : 'that you have taken on';
  return `${urgency === 'urgent' ? 'Urgent referral' : 'Referral'} ${reference} ${toDo}`;
}

type ReceptionSteps = 'at once' | 'when filed' | 'none';

/** What the subject and the text of a message to a practice say of its letter. */
type LetterSummary = {
  kind: BoxKind;
  isUpdate: boolean;
  hasCode: boolean;
  hasActions: boolean;
  tasksStart: ReturnType<typeof startOfTasks>;
  /** Somebody reported a crisis. */
  tellsOfCrisis: boolean;
  forReception: ReceptionSteps;
};

/** Begins with what there is to do, because practices sort their post by that. */
function subjectToPractice(
  purpose: DeliveryPurpose,
  { reference, status }: Referral,
  { kind, isUpdate, hasCode, hasActions, tasksStart, tellsOfCrisis, forReception }: LetterSummary,
): string {
  if (status === 'entered-in-error')
    return `For action at once: remove referral ${reference} from the patient’s record`;
  const what = `${purpose === 'referral' ? 'Copy' : 'Outcome'} of referral ${reference}`;
  if (kind === 'tasks' || kind === 'clinician-reads-today') {
    const first =
      kind === 'tasks'
        ? `For action${tasksStart ? ` ${tasksStart}` : ''}`
        : `For a clinician to read ${tellsOfCrisis ? 'now' : 'today'}${hasActions ? ', and for action' : ''}`;
    return `${first}: ${isUpdate ? 'updated ' : ''}${lowerFirst(what)}`;
  }
  if (kind === 'clinician-sees-today' || kind === 'clinician-sees-when-filed') {
    const when = kind === 'clinician-sees-today' ? ' today' : '';
    return `For a clinician to see${when}: ${isUpdate ? 'updated ' : ''}${lowerFirst(what)}`;
  }
  if (forReception === 'at once')
    return `For reception at once: ${isUpdate ? 'updated ' : ''}${lowerFirst(what)}${hasCode ? ', with a code to file' : ''}`;
  const named = `${isUpdate ? 'Updated: ' : ''}${what}`;
  if (kind !== 'not-said') return `${named} for the patient’s record${hasCode ? ': a code to file' : ''}`;
  return hasCode
    ? `${named} – a code to file, no other action was recorded`
    : `${named} – no action for the practice was recorded`;
}

type TextToService = Required<Pick<TextAroundLetter, 'hasLetter' | 'beforeLink'>>;

/** It does not name the service, which may be a refuge: somebody may read it over a shoulder. The letter has the name. */
function textToService(
  referral: Referral,
  options: ServiceLetterInput,
  { hasLetter, beforeLink }: TextToService,
): string[] {
  const { site, purpose } = options;
  const { baseUrl, crisisPhrases } = site;
  const { id, urgency, content } = referral;
  if (purpose === 'outcome') {
    return [
      `A referral to your service has ended, and not by your doing. Read what to do before you contact the person or cancel anything.`,
      `How it ended is ${hasLetter ? 'in the attached letter, and ' : ''}here: ${baseUrl}/referrals/${id}`,
    ];
  }
  return [
    ...(hasCrisis(options) || isDangerous(content, crisisPhrases)
      ? ['There is a risk to act on. Read the referral now, before you contact anybody.']
      : []),
    `${options.reopened ? reopenedInWords(options.reopened, referral) : 'A person has been referred to your service.'}${urgency === 'urgent' ? ' The referral is urgent.' : ''}`,
    ...beforeLink,
    `${beforeLink.length > 0 ? 'With an account, read it and answer it here' : 'Read it and answer it here'}: ${baseUrl}/referrals/${id}`,
    ...(hasLetter ? ['The attached letter has the same details, to print or file.'] : []),
  ];
}

const forTheRecord = 'The attached letter is for the patient’s record. You do not need to reply.';

/** What the box at the top of the letter says, in other words (practice/box/). */
const whatToDo: Readonly<Record<BoxKind, string>> = {
  tasks: 'There is something for the practice to do: it is at the top of the attached letter.',
  'clinician-reads-today':
    'A clinician must read the attached letter today, and decide whether the practice has to do something.',
  'clinician-sees-today': 'A clinician should see the attached letter today: it says why at the top.',
  'clinician-sees-when-filed': 'A clinician should see the attached letter: it says why at the top.',
  'not-said': 'Nothing was asked of the practice. If in doubt, ring the person named in the attached letter.',
  'later-letter-without-task': forTheRecord,
  'said-nothing-to-do': forTheRecord,
  'code-to-file': forTheRecord,
  'no-new-code': forTheRecord,
};

function textToPractice(
  purpose: DeliveryPurpose,
  { status }: Referral,
  {
    kind,
    hasCode,
    hasActions,
    forReception,
  }: Pick<LetterSummary, 'kind' | 'hasCode' | 'hasActions' | 'forReception'>,
): string[] {
  if (purpose === 'removal')
    return [
      'A letter about a patient was sent to your practice by mistake. Please remove it from their record, as the attached letter says, and confirm that it is done.',
    ];
  if (status === 'entered-in-error')
    return [
      'A referral of one of your patients was sent by mistake. Please remove our earlier letter from their record, as the attached letter says, and confirm that it is done.',
    ];
  const event =
    purpose === 'referral'
      ? 'One of your patients has been referred to a community service.'
      : 'The referral of one of your patients to a community service has ended.';
  const also =
    kind === 'clinician-reads-today' && hasActions ? ' It asks for something by name as well.' : '';
  const code = hasCode ? ' The letter has a code to file.' : '';
  const isAllForReception = kind === 'not-said' && forReception !== 'none';
  const toDo = isAllForReception ? nothingElseAsked : whatToDo[kind];
  return [`${event}${wordsForReception[forReception]} ${toDo}${also}${code}`];
}

const nothingElseAsked =
  'Nothing else was asked of the practice. If in doubt, ring the person named in the attached letter.';

const wordsForReception: Readonly<Record<ReceptionSteps, string>> = {
  'at once': ' Reception has steps to take at once, before the letter is filed: they are at the top of it.',
  'when filed': ' Reception has something to do when it files the letter: it is at the top of it.',
  none: '',
};
