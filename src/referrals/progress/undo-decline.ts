import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inRetriedTransaction } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { type App, emptyBody, problemAnswers, withToken } from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { lockVersionForSides, type SeenVersion } from '../model/access/access.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { historyActorOf } from '../model/authors.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { watchUrgent } from '../model/due/unseen.ts';
import { clearSeenByLink, deleteUnseen } from '../model/due/unseen-store.ts';
import { loadAndPresent, type PresentedReferral } from '../model/present.ts';
import { wrongState } from '../model/problems.ts';
import type { Draft, Referral } from '../model/referral.ts';
import {
  badBody,
  idParams,
  ifMatchHeaders,
  notYours,
  orServiceHidden,
  sendReferral,
  staleVersion,
  tags,
  theReferral,
  versionSeen,
} from '../model/schemas/route-parts.ts';
import { updateStatus } from '../model/store.ts';

/** How long the referrer can check an answer by link that ended a referral. Only then is the GP practice told. */
export const checkTimeMs = 24 * hourMs;

/**
 * Until when the referrer can say that a decline by link was a mistake; null if they cannot. Somebody who was helped another way, or
 * referred elsewhere, needs no second open referral.
 */
export async function undoDeclineUntil(
  { clock, referralListener }: Pick<ReferralDeps, 'clock' | 'referralListener'>,
  db: Db,
  referral: Referral | Draft,
): Promise<Date | null> {
  const { id, status, rerouted_to, referred_again, resolvedAt } = referral;
  if (status !== 'rejected' || rerouted_to || referred_again || resolvedAt) return null;
  const declinedAt = await referralListener.declinedByLinkAt(db, id);
  const until = declinedAt && new Date(declinedAt.getTime() + checkTimeMs);
  return until && until > clock.now() ? until : null;
}

/**
 * The referrer says that a decline by link was a mistake, such as a button pressed for another person. The referral waits for its answer
 * again, the service is told, and the letter about the decline is not sent.
 * @throws Problem `not-found`, `forbidden` for the service, `version-stale`, `wrong-state` if it was not declined by link within 24 hours.
 */
export async function undoDecline(
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, ...seen }: SeenVersion & { ipAddress: string },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const referral = await lockVersionForSides(trx, caller, seen, ['referrer']);
    if ((await undoDeclineUntil(deps, trx, referral)) === null)
      throw new Problem(
        wrongState,
        'Only a referral that was declined by link within 24 hours, and was not dealt with since, can be opened again.',
      );
    const open = {
      to: 'requested',
      reason: null,
      outcome: null,
      expectedDate: null,
      nextDate: null,
      at,
    } as const;
    const actor = historyActorOf(caller);
    // Somebody who mistook it for another referral has not seen it, so an urgent one is watched again.
    await clearSeenByLink(trx, referral.id);
    const reopened = await updateStatus(trx, referral as Referral, open, actor);
    await deletePrompts(trx, reopened.id);
    await deleteUnseen(trx, [reopened.id]);
    await watchUrgent(trx, deps.settings, [reopened], at);
    const change = {
      referral: reopened,
      from: referral.status,
      by: 'referrer',
      actorId: actor.id,
      at,
    } as const;
    await deps.referralListener.onChange(trx, [change]);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.decline_undone',
      subject: { type: 'referral', id: reopened.id },
    });
    return loadAndPresent(deps, trx, caller, reopened, at);
  });
}

export function undoDeclineRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/undo-decline',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'undoDecline',
        tags,
        summary: 'Say that a decline by link was a mistake',
        description:
          'For the referrer. A service without an account can decline by the link in its email, and anybody who has that email can press the button. So the GP practice is told of it only after 24 hours. Until then this opens the referral again: its status is `requested`, the service is told, and the letter about the decline is not sent.',
        params: idParams,
        headers: ifMatchHeaders,
        body: emptyBody,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            ...staleVersion,
            403: `This is for the referrer’s organisation.${orServiceHidden}`,
            404: notYours,
            409: 'The referral was not declined by link within 24 hours. Or the person has been referred elsewhere or helped another way since.',
          }),
        },
      },
    },
    async (request, reply) => {
      const seen = { referralId: request.params.id, version: versionSeen(request), ipAddress: request.ip };
      return sendReferral(reply, await undoDecline(deps, requireCaller(request), seen));
    },
  );
}
