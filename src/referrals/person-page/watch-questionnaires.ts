import { listOperators } from '../../accounts/index.ts';
import { recordAudit, siteActor } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  listEndMeasuresToRemind,
  setEndMeasuresReminded,
} from '../model/after-acceptance/end-measures-store.ts';
import {
  deskState,
  listDesksSwitchedOn,
  setDesksToldClosedAt,
} from '../model/after-acceptance/questionnaire-desks-store.ts';
import { endDueAfterMs } from '../model/after-acceptance/questionnaires.ts';
import { lockReferrals } from '../model/referrals-store.ts';
import { listQuestionnairesDue } from './answer-questionnaire.ts';
import { findUsablePage, sendLinkAgain } from './send-link.ts';

/** How long after the completion the reminder comes, because the email about the completion comes first. */
const afterCompletionMs = 7 * dayMs;
/** The next run, an hour later, sends the rest. */
const maxReminders = 200;

/**
 * The `watch-questionnaires` job, every hour. Where nobody looks into worrying answers any more, people get no questionnaires, and it tells
 * the operators once. For each end that nobody has measured, it reminds the person or the referrer’s side once.
 */
export async function watchQuestionnaires(deps: Platform): Promise<void> {
  await inTransaction(deps.db, (trx) => tellOfClosedDesks(trx, deps));
  await inTransaction(deps.db, (trx) => remindOfEndMeasures(trx, deps));
}

async function tellOfClosedDesks(trx: Trx, deps: Platform): Promise<void> {
  const desks = await listDesksSwitchedOn(trx);
  const idsOf = (some: typeof desks) => some.map(({ organisationId }) => organisationId);
  const isOn = (desk: (typeof desks)[number]) => deskState(desk, deps.clock.now()) === 'on';
  await setDesksToldClosedAt(trx, idsOf(desks.filter((desk) => isOn(desk) && desk.toldClosedAt)), null);
  const closed = desks.filter((desk) => !isOn(desk) && !desk.toldClosedAt);
  if (closed.length === 0) return;
  const { baseUrl } = deps.settings;
  await mailPeople(trx, deps, 'reminder', {
    to: (await listOperators(trx)).map(({ email }) => email),
    subject: 'Nobody looks into worrying answers',
    paragraphs: [
      'The owner or the deputy who looks into worrying answers of questionnaires can no longer sign in or has left, or both are on leave. Until one of them is back, or you name somebody else, people referred by these organisations are not asked how they are on their own pages. If somebody’s earlier answer worries you, ring them:',
      closed
        .map(
          ({ name, organisationId }) =>
            `${name}\n${baseUrl}/operator/organisations/${organisationId}/questionnaires`,
        )
        .join('\n\n'),
    ],
  });
  await setDesksToldClosedAt(trx, idsOf(closed), deps.clock.now());
}

/** The person gets the link to their page again, if they have one; otherwise a prompt asks the referrer’s side to ask them. */
async function remindOfEndMeasures(trx: Trx, deps: Platform): Promise<void> {
  const at = deps.clock.now();
  const ids = await listEndMeasuresToRemind(trx, {
    completedBefore: new Date(at.getTime() - afterCompletionMs),
    startedBefore: new Date(at.getTime() - endDueAfterMs),
    limit: maxReminders,
  });
  if (ids.length === 0) return;
  const referrals = await lockReferrals(trx, ids);
  for (const referral of referrals.values()) {
    const page =
      (await listQuestionnairesDue(trx, deps, referral)).length > 0 &&
      (await findUsablePage(trx, deps, referral));
    if (page) await sendLinkAgain(trx, deps, page, referral);
    const reminded = page ? 'person' : 'staff';
    await setEndMeasuresReminded(trx, referral.id, { reminded, at });
    await recordAudit(trx, {
      at,
      actor: siteActor,
      action: 'referral.end_measure_reminded',
      subject: { type: 'referral', id: referral.id },
      details: { reminded },
    });
  }
  await addJobs(trx, 'update-prompts', [{}]);
}
