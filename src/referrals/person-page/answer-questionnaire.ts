import { type Db, inRetriedTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import { isWorrying, type Measure, maxMeasures } from '../model/after-acceptance/measures.ts';
import { deskState, findQuestionnaireDesk } from '../model/after-acceptance/questionnaire-desks-store.ts';
import {
  type QuestionnaireCode,
  questionnairesDue,
  readAnswers,
} from '../model/after-acceptance/questionnaires.ts';
import { addNotifications, forBothSides } from '../model/attention/notifications.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { visitMs } from '../model/person-page/person-page.ts';
import type { Referral } from '../model/referral.ts';
import { recordMeasures } from '../progress/record-measures.ts';
import { lockReferralOfVisit, personOnPage } from './enter-code.ts';

/** The questionnaires for the person now. None, unless an owner and a deputy look into worrying answers and one of them is not on leave. */
export async function listQuestionnairesDue(
  db: Db,
  { clock }: Pick<ReferralDeps, 'clock'>,
  referral: Referral,
): Promise<ReturnType<typeof questionnairesDue>> {
  const desk = await findQuestionnaireDesk(db, referral.referrerOrganisationId);
  const isFull = (referral.content.measures ?? []).length + 4 > maxMeasures;
  return desk && deskState(desk, clock.now()) === 'on' && !isFull
    ? questionnairesDue(referral, desk.asks, clock.now())
    : [];
}

/** How long the page says whom to call after a worrying answer. */
const worryingMs = 7 * dayMs;

/** Whether the person has answered a questionnaire on their page, and whether an answer of the last days is worrying. */
export function questionnaireState({ content }: Referral, now: Date) {
  const all = content.measures ?? [];
  const own = all.filter(({ by, mode }) => by === 'person' && mode === 'online');
  return {
    hasAnswered: own.length > 0,
    isWorrying: own.some(
      (each) => now.getTime() - Date.parse(each.taken_at) < worryingMs && isWorrying(all, each),
    ),
  };
}

type QuestionnaireAnswers = { which: QuestionnaireCode; values: Readonly<Record<string, string>> };

/** Whether these answers are stored already, because somebody pressed the button twice. They then get the same reply again. */
function isRepeatedAnswer(
  { content }: Referral,
  { which, values }: QuestionnaireAnswers,
  now: Date,
): boolean {
  const { measures } = readAnswers(which, 'start', values);
  const stored = (content.measures ?? []).filter(
    ({ by, mode, taken_at }) =>
      by === 'person' && mode === 'online' && now.getTime() - Date.parse(taken_at) < visitMs,
  );
  const isStored = (measure: Measure) =>
    stored.some(({ code, value }) => code === measure.code && value === measure.value);
  return measures.length > 0 && measures.every(isStored);
}

type AnswerResult =
  /** The page is not open for this browser. */
  | { result: 'closed' }
  /** It is no longer due, because the referral, or who looks into answers, changed while the person answered. Nothing is stored. */
  | { result: 'not-asked' }
  | { result: 'stored' }
  | { result: 'refused'; errors: FieldError[] };

/** Stores a questionnaire that the person has filled in on their open page, and tells both sides. */
export function answerQuestionnaire(
  deps: ReferralDeps,
  secret: string,
  submission: {
    which: QuestionnaireCode;
    values: Readonly<Record<string, string>>;
    token: string | undefined;
    ipAddress: string;
  },
): Promise<AnswerResult> {
  const { which, values, token, ipAddress } = submission;
  return inRetriedTransaction(deps.db, async (trx) => {
    const opened = await lockReferralOfVisit(trx, deps, secret, token);
    if (!opened) return { result: 'closed' };
    const { referral, at } = opened;
    const questionnaire = (await listQuestionnairesDue(trx, deps, referral)).find(
      ({ code }) => code === which,
    );
    if (!questionnaire)
      return { result: isRepeatedAnswer(referral, { which, values }, at) ? 'stored' : 'not-asked' };
    const { measures, errors } = readAnswers(which, questionnaire.stage, values);
    if (errors.length > 0) return { result: 'refused', errors };
    const added = measures.map((each) => ({
      ...each,
      taken_at: at.toISOString(),
      by: 'person' as const,
      mode: 'online' as const,
    }));
    await recordMeasures(trx, deps, referral, { added, actor: personOnPage(ipAddress), at });
    const news = { referralId: referral.id, kind: 'person-said', actorId: null, at } as const;
    await addNotifications(trx, forBothSides(news));
    return { result: 'stored' };
  });
}
