import type { Caller } from '../../../accounts/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { addJobs } from '../../../platform/jobs/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import { nextWorkingDay, type WorkingDays } from '../due/working-time.ts';
import { isDangerous, isRiskToRead } from '../person/danger/risk.ts';
import type { Referral } from '../referral.ts';
import { deleteDanger, saveDangers } from './dangers-store.ts';
import { givePrompts } from './give-prompts.ts';
import { deletePrompts, type OwnedPrompt } from './prompts-store.ts';

type RiskRules = Pick<Settings, 'crisisPhrases'>;
type DangerSource = Pick<Referral, 'id' | 'content'>;

/** Somebody of the referrer’s side is asked to confirm that somebody has acted on what these referrals tell of. */
export async function askAboutDangers(
  trx: Trx,
  { crisisPhrases }: RiskRules,
  referrals: readonly DangerSource[],
  at: Date,
): Promise<void> {
  const dangerous = referrals.filter(({ content }) => isDangerous(content, crisisPhrases));
  if (dangerous.length === 0) return;
  await saveDangers(
    trx,
    dangerous.map(({ id }) => id),
    at,
  );
  await addJobs(trx, 'update-prompts', [{}]);
}

/**
 * Gives the people who send dangerous referrals their prompt at once, so that the answer to their call has it. The job `update-prompts`
 * finds it, and gives it to a colleague if they are on leave. What a system sent waits for that job, which emails its owner.
 */
export async function promptSenders(
  trx: Trx,
  settings: RiskRules & WorkingDays,
  submissions: readonly { referral: DangerSource; sender: Pick<Caller, 'accountId' | 'isSystem'> }[],
  at: Date,
): Promise<void> {
  const prompts = submissions
    .filter(
      ({ referral, sender }) => !sender.isSystem && isDangerous(referral.content, settings.crisisPhrases),
    )
    .map(
      ({ referral, sender }): OwnedPrompt => ({
        id: newId(at.getTime()),
        referralId: referral.id,
        kind: 'risk-to-act-on',
        side: 'referrer',
        ownerId: sender.accountId,
        dueOn: nextWorkingDay(settings, at).date,
      }),
    );
  await givePrompts(trx, prompts, at);
}

/** The outcome, or the reason for the end, tells of a danger: somebody confirms that somebody has acted, also if they did so before. */
export async function askAboutDangerAtEnd(trx: Trx, referralId: string, at: Date): Promise<void> {
  await deletePrompts(trx, referralId, ['risk-to-act-on']);
  await saveDangers(trx, [referralId], at, { toldAtEnd: true });
  await addJobs(trx, 'update-prompts', [{}]);
}

/** A danger that a change tells of is asked about, also if somebody confirmed an earlier one. One that is gone is not. */
export async function updateDanger(
  trx: Trx,
  settings: RiskRules,
  { before, after }: { before: DangerSource; after: DangerSource },
  at: Date,
): Promise<void> {
  const appears = (test: typeof isDangerous) =>
    test(after.content, settings.crisisPhrases) && !test(before.content, settings.crisisPhrases);
  if (appears(isDangerous) || appears(isRiskToRead)) {
    await deletePrompts(trx, after.id, ['risk-to-act-on']);
    return askAboutDangers(trx, settings, [after], at);
  }
  const isGone =
    isDangerous(before.content, settings.crisisPhrases) &&
    !isDangerous(after.content, settings.crisisPhrases);
  if (!isGone) return;
  await deletePrompts(trx, after.id, ['risk-to-act-on']);
  await deleteDanger(trx, after.id);
}
