import {
  deleteExpiredChallenges,
  deleteExpiredEmailLinks,
  deleteExpiredSessions,
  deleteExpiredSignInFlows,
  deleteExpiredUnsentForms,
  deleteOldThrottles,
  sendDigests,
  startPasswordReset,
} from './accounts/index.ts';
import {
  askTracking,
  type DeliveryDeps,
  deleteEndedAnswerVisits,
  deleteOldClaims,
  deleteOldMeshMessages,
  deliver,
  deliverNew,
  exchangeSystem,
  handshakeWithExchange,
  makeOfflineCopies,
  makeOfflineCopy,
  mayStillSendCode,
  pollChannels,
  releaseHeld,
  remindOperators,
  restoreDeliveryJobs,
  simulate,
  tellPracticesNews,
  watchDeliveries,
} from './delivery/index.ts';
import {
  deleteEndedTroubles,
  deleteOldRequests as deleteOldDeveloperRequests,
  senderWithTroubles,
} from './developers/index.ts';
import {
  deleteOldImportContents,
  importJobHandler,
  importScheduledFeeds,
  runUndo,
  scheduledFeedsTime,
} from './exchange/index.ts';
import { deleteOldSnapshots } from './library/index.ts';
import {
  collectUnmatched,
  deleteOldReviews,
  deleteOldUnmatched,
  reportConnectionFailures,
  reportUnusualAccess,
  warnOfExpiringAgreements,
} from './operator/index.ts';
import type { Database } from './platform/database/index.ts';
import {
  dailyAt,
  hourlyAt,
  type JobHandlers,
  mondaysAt,
  type Schedule,
  startWorker,
  type Worker,
} from './platform/jobs/index.ts';
import { describeError } from './platform/log/index.ts';
import { deleteOldMails, type MaySendAboutLink, restoreMailJobs, sendMail } from './platform/mail/index.ts';
import type { Platform } from './platform/platform.ts';
import { findRestoreCheck } from './platform/restore-check/index.ts';
import {
  copyLifetimeMs,
  deleteOldCopies,
  deleteOldRequests,
  emptyCopies,
  remindOfRequests,
} from './records/index.ts';
import {
  deleteEndedVisits,
  deleteOldIdempotencyKeys,
  deleteOldNumberAttempts,
  deleteOldRecordsOfLooks,
  digestRules,
  eraseByRule,
  escalateWatches,
  mayStillTellPerson,
  type ReferralDeps,
  remindOverdue,
  scanAgain,
  sendNotifications,
  tellReminders,
  updatePrompts,
  updateResponsiveness,
  vacuumErased,
  watchQuestionnaires,
} from './referrals/index.ts';
import { followAndPublish } from './reports/index.ts';
import { deleteOldUnmetSearches } from './search/index.ts';
import { deleteOldSelfReferrals, watchSelfReferrals } from './self-referrals/index.ts';
import { deleteExpiredAccessTokens, tellOfDeprecations } from './tokens/index.ts';
import { deleteIdleQueues, deleteOldEvents, webhookJobHandler } from './webhooks/index.ts';

type WorkerDeps = ReferralDeps & DeliveryDeps & Pick<Database, 'pool'>;

/** Every job, and the function that does it. */
export function jobHandlers(deps: WorkerDeps): JobHandlers {
  return {
    'ask-tracking': (payload: { delivery_id: string }) => askTracking(deps, payload),
    'call-webhook': webhookJobHandler(deps, senderWithTroubles),
    'collect-unmatched': () => collectUnmatched(deps),
    'delete-expired': () => deleteExpired(deps),
    deliver: (payload: Parameters<typeof deliver>[1]) => deliver(deps, payload),
    'deliver-new': (payload: { delivery_ids: string[] }) => deliverNew(deps, payload),
    'erase-by-rule': () => eraseByRule(deps),
    'follow-referrals': () => followAndPublish(deps),
    'handshake-with-exchange': () => handshakeWithExchange(deps),
    'import-library': importJobHandler(deps),
    'import-scheduled-feeds': () => importScheduledFeeds(deps),
    'make-offline-copies': () => unlessBeingChecked(deps, () => makeOfflineCopies(deps)),
    'make-offline-copy': (payload: Parameters<typeof makeOfflineCopy>[1]) => makeOfflineCopy(deps, payload),
    'poll-channels': () => pollChannels(deps),
    'release-held': () => releaseHeld(deps),
    'remind-of-requests': () => remindOfRequests(deps),
    'remind-operators': () => remindOperators(deps),
    'remind-overdue': () => unlessBeingChecked(deps, () => remindOverdue(deps)),
    'report-connection-failures': () => reportConnectionFailures(deps),
    'report-unusual-access': () => reportUnusualAccess(deps),
    'restore-delivery-jobs': () => restoreDeliveryJobs(deps),
    'restore-mail-jobs': () => restoreMailJobs(deps),
    'scan-again': () => scanAgain(deps),
    'send-digests': () => sendDigests(deps, digestRules),
    'send-mail': (payload: { mail_id: string }) => sendMail(deps, payload, mayStillSend(deps)),
    simulate: (payload: { referral_id: string }) => simulate(deps, payload),
    'start-password-reset': (payload: { sealed: string }) => startPasswordReset(deps, payload),
    // Its name is older than the word notification.
    'tell-news': () => sendNotifications(deps),
    'tell-of-deprecations': () => tellOfDeprecations(deps),
    // The practices may have been told between a backup and the loss.
    'tell-practices-news': () => unlessBeingChecked(deps, () => tellPracticesNews(deps)),
    'tell-reminders': () => tellReminders(deps),
    'undo-import': (payload: Parameters<typeof runUndo>[1]) => runUndo(deps, payload),
    'update-prompts': () => updatePrompts(deps),
    'update-responsiveness': () => updateResponsiveness(deps),
    'vacuum-erased': () => vacuumErased(deps),
    'warn-of-expiring-agreements': () => warnOfExpiringAgreements(deps),
    'watch-deliveries': () => watchDeliveries(deps),
    'watch-questionnaires': () => unlessBeingChecked(deps, () => watchQuestionnaires(deps)),
    'watch-self-referrals': () => watchSelfReferrals(deps),
    // Nobody counts as told by an email that is held.
    'watch-unseen': () => unlessBeingChecked(deps, () => escalateWatches(deps)),
    // The old names of four jobs, which an earlier version may have left in the queue.
    'notice-looks': () => reportUnusualAccess(deps),
    sweep: () => deleteExpired(deps),
    'report-troubles': () => reportConnectionFailures(deps),
    'warn-of-ends': () => warnOfExpiringAgreements(deps),
  };
}

/** A message about a link is sent if the link is a person’s page or an answer link that may still be used by this address. */
export function mayStillSend(deps: Platform): MaySendAboutLink {
  return async (about) => (await mayStillTellPerson(deps, about)) || (await mayStillSendCode(deps, about));
}

/** The jobs that run at set times, in UTC. */
const schedule: Schedule = [
  // Every few minutes
  { name: 'report-connection-failures', everyMinutes: 1, offsetMinutes: 0, maxAttempts: 3 },
  { name: 'restore-delivery-jobs', everyMinutes: 1, offsetMinutes: 0, maxAttempts: 3 },
  { name: 'release-held', everyMinutes: 1, offsetMinutes: 0, maxAttempts: 3 },
  { name: 'watch-deliveries', everyMinutes: 1, offsetMinutes: 0, maxAttempts: 3 },
  { name: 'poll-channels', everyMinutes: 5, offsetMinutes: 0, maxAttempts: 3, system: exchangeSystem },
  { name: 'watch-unseen', everyMinutes: 5, offsetMinutes: 2, maxAttempts: 3 },
  { name: 'scan-again', everyMinutes: 5, offsetMinutes: 4, maxAttempts: 3 },
  { name: 'collect-unmatched', everyMinutes: 10, offsetMinutes: 3, maxAttempts: 3 },
  { name: 'follow-referrals', everyMinutes: 10, offsetMinutes: 6, maxAttempts: 3 },
  { name: 'tell-practices-news', everyMinutes: 10, offsetMinutes: 8, maxAttempts: 3 },
  // Every hour
  { name: 'update-responsiveness', ...hourlyAt(7), maxAttempts: 3 },
  { name: 'watch-self-referrals', ...hourlyAt(27), maxAttempts: 3 },
  { name: 'delete-expired', ...hourlyAt(17), maxAttempts: 3 },
  { name: 'restore-mail-jobs', ...hourlyAt(19), maxAttempts: 3 },
  { name: 'watch-questionnaires', ...hourlyAt(32), maxAttempts: 3 },
  { name: 'remind-overdue', ...hourlyAt(37), maxAttempts: 3 },
  { name: 'update-prompts', ...hourlyAt(47), maxAttempts: 3 },
  // Every day
  { name: 'make-offline-copies', ...dailyAt('01:41'), maxAttempts: 3 },
  { name: 'erase-by-rule', ...dailyAt('02:23'), maxAttempts: 3 },
  { name: 'import-scheduled-feeds', ...dailyAt(scheduledFeedsTime), maxAttempts: 3 },
  { name: 'handshake-with-exchange', ...dailyAt('05:07'), maxAttempts: 10, system: exchangeSystem },
  { name: 'tell-reminders', ...dailyAt('06:05'), maxAttempts: 3 },
  { name: 'remind-operators', ...dailyAt('06:11'), maxAttempts: 3 },
  { name: 'remind-of-requests', ...dailyAt('06:14'), maxAttempts: 3 },
  { name: 'tell-of-deprecations', ...dailyAt('06:16'), maxAttempts: 3 },
  { name: 'warn-of-expiring-agreements', ...dailyAt('06:17'), maxAttempts: 3 },
  { name: 'send-digests', ...dailyAt('06:23'), maxAttempts: 3 },
  // Every week
  { name: 'report-unusual-access', ...mondaysAt('06:20'), maxAttempts: 3 },
];

/** Starts running the site's jobs in this process. @throws when the database cannot be reached. */
export function startJobs(database: Database, deps: WorkerDeps): Promise<Worker> {
  return startWorker({ database, handlers: jobHandlers(deps), schedule, log: deps.log });
}

/**
 * After a restore, a referral that was answered since the backup looks unanswered. Nothing is done about silence, and nobody is told,
 * before a check.
 */
async function unlessBeingChecked({ db }: Platform, work: () => Promise<unknown>): Promise<void> {
  if (!(await findRestoreCheck(db))) await work();
}

/**
 * Every hour: deletes what has expired, so that no table keeps growing. What cannot be deleted just now, such as from a locked table,
 * does not keep the rest. Small tables are read in full for it; those that grow have an index.
 * @throws Error if a step failed, so that the queue runs the job again.
 */
async function deleteExpired(deps: Platform & Pick<Database, 'pool'>): Promise<void> {
  const { db, clock, log } = deps;
  const now = clock.now();
  const deletions: Readonly<Record<string, () => Promise<unknown>>> = {
    sessions: () => deleteExpiredSessions(db, now),
    'forms to fill in again': () => deleteExpiredUnsentForms(db, now),
    'sign-in challenges': () => deleteExpiredChallenges(db, now),
    'OpenID sign-ins': () => deleteExpiredSignInFlows(db, now),
    'access tokens': () => deleteExpiredAccessTokens(db, now),
    'idempotency keys': () => deleteOldIdempotencyKeys(db, now),
    'records of who looked': () => deleteOldRecordsOfLooks(db, now),
    'attempts with NHS numbers': () => deleteOldNumberAttempts(db, now),
    'reviews of access': () => deleteOldReviews(db, now),
    'visits of people’s pages': () => deleteEndedVisits(db, now),
    emails: () => deleteOldMails(db, now),
    'counts of attempts': () => deleteOldThrottles(db, now),
    'emailed links': () => deleteExpiredEmailLinks(db, now),
    events: () => deleteOldEvents(db, now),
    'queues of removed webhooks': () => deleteIdleQueues(deps),
    'MESH messages': () => deleteOldMeshMessages(db, now),
    'import files': () => deleteOldImportContents(db, now),
    'services before imports': () => deleteOldSnapshots(db, now),
    'requests about records': () => deleteOldRequests(db, now),
    'files of copied records': () => emptyCopies(db, new Date(now.getTime() - copyLifetimeMs), now),
    'copies of records': () => deleteOldCopies(db, now),
    'unmatched messages': () => deleteOldUnmatched(db, now),
    'visits of services by link': () => deleteEndedAnswerVisits(db, now),
    'requests for accounts by link': () => deleteOldClaims(db, now),
    'requests of developers': () => deleteOldDeveloperRequests(db, now),
    'self-referrals': () => deleteOldSelfReferrals(db, now),
    'searches that found too little': () => deleteOldUnmetSearches(db, now),
    'simulated failures': () => deleteEndedTroubles(db, now),
  };
  const failed: string[] = [];
  for (const [what, remove] of Object.entries(deletions)) {
    try {
      await remove();
    } catch (error) {
      log.error({ what, error: describeError(error) }, 'expired rows could not be deleted');
      failed.push(what);
    }
  }
  if (failed.length > 0) throw new Error(`not deleted: ${failed.join(', ')}`);
}
