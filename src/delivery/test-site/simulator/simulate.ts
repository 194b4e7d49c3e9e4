import { buffer } from 'node:stream/consumers';
import type { Actor } from '../../../audit/index.ts';
import { daysLater, localTime } from '../../../platform/clock/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import { hourMs } from '../../../platform/durations.ts';
import { addKeyedJob } from '../../../platform/jobs/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import {
  answerAsService,
  changeRecordBySimulator,
  type DeliveryLeg,
  escalateWatchesOf,
  findReferral,
  type ReferralDeps,
  type ReferralListener,
  remindOverdueReferral,
  type StatusChange,
  writeAsService,
} from '../../../referrals/index.ts';
import type { DeliveryDeps } from '../../channels/deps.ts';
import { applyReport } from '../../follow-up/apply-report.ts';
import { lockDelivery } from '../../follow-up/follow-up-store.ts';
import { watchDeliveries } from '../../follow-up/watch-deliveries.ts';
import { isFirstSending } from '../../plan/plan-deliveries.ts';
import {
  isPlayedByClock,
  type ReportAct,
  reportWords,
  type ServiceAct,
  type Story,
  storyOf,
} from '../stories.ts';
import { findNextMoment } from './list-simulations.ts';
import {
  type DueStep,
  deleteStory,
  endStep,
  findMovedMs,
  findOldestDueStep,
  insertSteps,
  insertStory,
  listDeliveriesOfChange,
  lockDueStep,
  type NewStep,
} from './simulations-store.ts';

export type SimulatorDeps = ReferralDeps & DeliveryDeps;

/** Its name in the audit and in histories. */
const simulator: Actor = { name: 'Simulator' };

/** The `simulate` job: plays the due steps of one referral's story, and schedules itself for the next one. */
export async function simulate(deps: SimulatorDeps, { referral_id }: { referral_id: string }): Promise<void> {
  if (deps.settings.mode !== 'test') return;
  await playDueSteps(deps, referral_id);
  const next = await findNextMoment(deps, referral_id);
  const now = deps.clock.now().getTime();
  const oldestDueAt = await findOldestDueStep(deps.db, referral_id, new Date(now));
  const pauses = [
    ...(next ? [(next.getTime() - now) / 1000] : []),
    ...(oldestDueAt ? [retryPauseSeconds((now - oldestDueAt.getTime()) / 1000)] : []),
  ];
  if (pauses.length === 0) return;
  const inSeconds = Math.min(...pauses);
  await inTransaction(deps.db, (trx) =>
    addKeyedJob(trx, 'simulate', { referral_id }, { key: jobKey(referral_id), inSeconds }),
  );
}

/** A report waits until its message was sent, mostly less than a second. The pause grows with the time it has waited. */
function retryPauseSeconds(waitedSeconds: number): number {
  return Math.min(60, Math.max(1, waitedSeconds));
}

/** Plays the due steps of the story, and what the site does about a referral that nobody answers. */
async function playDueSteps(deps: SimulatorDeps, referralId: string): Promise<void> {
  let hasPlayed: boolean;
  do hasPlayed = await inTransaction(deps.db, (trx) => playStep(trx, deps, referralId));
  while (hasPlayed);
  await watchDeliveries(deps);
  const movedMs = await findMovedMs(deps.db, referralId);
  if (!movedMs) return;
  await remindOverdueReferral(deps, referralId, movedMs);
  await escalateWatchesOf(deps, referralId);
}

/** Each step is one transaction, so that a kill leaves none half done. @returns whether there was one. */
async function playStep(trx: Trx, deps: ReferralDeps, referralId: string): Promise<boolean> {
  const at = deps.clock.now();
  const step = await lockDueStep(trx, referralId, at);
  if (!step) return false;
  await endStep(trx, step.number, { at, notDoneBecause: await play(trx, deps, referralId, step) });
  return true;
}

/** @returns why the step could not be played, or null: a user may have answered the referral already. */
async function play(
  trx: Trx,
  deps: ReferralDeps,
  referralId: string,
  { act, deliveryId }: DueStep,
): Promise<string | null> {
  if ('news' in act) return playReport(trx, deps, deliveryId!, act);
  try {
    if ('writes' in act) await writeAsService(trx, deps, referralId, await serviceMessage(act), simulator);
    else if ('record' in act) await changeRecordBySimulator(trx, deps, referralId, act.record, simulator);
    else await answerAsService(trx, deps, referralId, withDate(act, deps.clock.now()), simulator);
    return null;
  } catch (error) {
    if (error instanceof Problem) return `The referral was ${await statusByNow(trx, referralId)} by then.`;
    throw error;
  }
}

function withDate({ action, body, expectedInDays }: ServiceAct, now: Date) {
  if (expectedInDays === undefined) return { action, body };
  return { action, body: { ...body, expected_date: daysLater(localTime(now).day, expectedInDays).date } };
}

async function serviceMessage({ writes, file }: { writes: string; file?: string }) {
  return {
    text: writes,
    file: file === undefined ? undefined : { name: file, content: await drawSimulatedFile() },
  };
}

async function statusByNow(trx: Trx, referralId: string): Promise<string> {
  const referral = await findReferral(trx, referralId);
  return referral?.restrictedAt ? 'restricted' : (referral?.status ?? 'erased');
}

async function playReport(
  trx: Trx,
  { clock }: ReferralDeps,
  deliveryId: string,
  { news }: ReportAct,
): Promise<string | null> {
  const delivery = await lockDelivery(trx, deliveryId);
  if (!delivery) return 'There is no such message any more.';
  const cause = news === 'failed' ? 'not-their-patient' : undefined;
  const report = { status: news, detail: reportWords[news], cause } as const;
  const changed = await applyReport(trx, delivery, report, clock.now());
  return changed ? null : `The message was ${delivery.status} already.`;
}

/** Stores the steps of a referral's story. It comes after the deliveries of the change, which it reads. A live site has no stories. */
export const simulatorListener: ReferralListener = {
  async onStatusChange(trx, changes) {
    for (const change of changes) {
      const story = storyOf(change.referral);
      if (story) await planSteps(trx, story, change);
    }
  },
  async onRecordChange(trx, change) {
    if (change.kind === 'erased') await deleteStory(trx, change.referral.id);
  },
};

async function planSteps(trx: Trx, story: Story, change: StatusChange): Promise<void> {
  const { referral, at } = change;
  const begins = isFirstSending(change);
  if (begins) await insertStory(trx, referral.id, story.name);
  const byService = begins ? story.service : [];
  const deliveries = await listDeliveriesOfChange(trx, referral);
  const reports = deliveries.flatMap(({ id, leg }) =>
    reportStepsOf(story, leg).map((step) => ({ ...step, deliveryId: id })),
  );
  const byClock = isPlayedByClock(story, referral);
  const steps = [...byService, ...reports].map(
    ({ afterHours, ...step }): NewStep => ({
      ...step,
      dueAt: new Date(at.getTime() + (byClock ? afterHours * hourMs : 0)),
    }),
  );
  if (steps.length === 0) return;
  await insertSteps(trx, referral.id, steps);
  await addKeyedJob(
    trx,
    'simulate',
    { referral_id: referral.id },
    { key: jobKey(referral.id), inSeconds: 0 },
  );
}

function jobKey(referralId: string): string {
  return `simulate ${referralId}`;
}

function reportStepsOf(story: Story, leg: DeliveryLeg): { afterHours: number; act: ReportAct }[] {
  if (story.sending === 'times-out') return [{ afterHours: 6, act: { news: 'received' } }];
  if (leg === 'service' || !story.practice) return [];
  const report = {
    afterHours: 1,
    act: { news: story.practice === 'wrong-practice' ? 'failed' : 'acknowledged' },
  } as const;
  return story.practice === 'confirms-twice' ? [report, report] : [report];
}

/** The file that a simulated service sends: one page, which says what it is. */
async function drawSimulatedFile(): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({ size: 'A5', lang: 'en-GB', info: { Title: 'A simulated leaflet' } });
  document.fontSize(18).text('A simulated leaflet').moveDown();
  document.fontSize(11).text('TEST: the simulator of a test site made this. No service has sent it.');
  document.end();
  return buffer(document);
}
