import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { addNotifications, forBothSides } from '../model/attention/notifications.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import type { PersonAnswer } from '../model/person-page/person-page.ts';
import { insertPersonAnswer, lastSaid, listPersonAnswers } from '../model/person-page/person-pages-store.ts';
import { openStatuses, type Referral } from '../model/referral.ts';
import { setUpdated } from '../model/referrals-store.ts';
import { lockReferralOfVisit, personOnPage } from './enter-code.ts';

/** Whether the referral is still open, so that the person can say that they no longer want it. */
export function canAskToStop({ status }: Pick<Referral, 'status'>): boolean {
  return openStatuses.includes(status);
}

/** Whether the service has answered. Before that, nobody can have helped the person. */
export function canSayWhetherHelped({ status }: Pick<Referral, 'status'>): boolean {
  return status !== 'requested';
}

/**
 * Stores what the person says on their open page, and tells both sides. If they no longer want the referral, or did not get help, somebody of
 * the referrer’s side rings them. “I got help” after that takes nothing back, because somebody else may have pressed the button. The same
 * answer twice counts once.
 * @returns false when the page is not open for this browser, or the answer is not possible any more.
 */
export function answerAsPerson(
  deps: ReferralDeps,
  secret: string,
  { token, answer, ipAddress }: { token: string | undefined; answer: PersonAnswer; ipAddress: string },
): Promise<boolean> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const opened = await lockReferralOfVisit(trx, deps, secret, token);
    if (!opened) return false;
    const { referral, at } = opened;
    const mayAnswer = answer === 'no-longer-wanted' ? canAskToStop : canSayWhetherHelped;
    if (!mayAnswer(referral)) return false;
    if (await hasSaid(trx, referral.id, answer)) return true;
    const id = newId(at.getTime());
    await insertPersonAnswer(trx, { id, referralId: referral.id, at, answer });
    await setUpdated(trx, referral.id, at);
    // A prompt that was dealt with before would hide this one.
    if (answer !== 'got-help') await deletePrompts(trx, referral.id, [promptOf[answer]]);
    await addJobs(trx, 'update-prompts', [{}]);
    const kind = answer === 'no-longer-wanted' ? 'changed' : 'person-said';
    const news = { referralId: referral.id, kind, actorId: null, at } as const;
    await addNotifications(trx, forBothSides(news));
    await deps.roomsAbove.onFollowUp(trx, { referral, kind: 'person-page', at });
    await recordAudit(trx, {
      at,
      actor: personOnPage(ipAddress),
      action: 'person_page.answered',
      subject: { type: 'referral', id: referral.id },
      details: { answer },
    });
    return true;
  });
}

const promptOf = {
  'no-longer-wanted': 'person-wants-to-stop',
  'did-not-get-help': 'person-not-helped',
} as const;

/** Whether this is already the last thing that they said about it. */
async function hasSaid(
  trx: Parameters<typeof listPersonAnswers>[0],
  referralId: string,
  answer: PersonAnswer,
): Promise<boolean> {
  const answers = (await listPersonAnswers(trx, [referralId])).get(referralId) ?? [];
  const { ofHelp, toStop } = lastSaid(answers);
  return (answer === 'no-longer-wanted' ? toStop : ofHelp)?.answer === answer;
}
