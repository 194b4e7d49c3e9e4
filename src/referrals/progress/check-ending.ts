import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inRetriedTransaction } from '../../platform/database/index.ts';
import { type App, emptyBody, problemAnswers, withToken } from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { lockPersonOfReferral } from '../endings/deaths-store.ts';
import { checkDeathBeforeReopening } from '../endings/reported-deaths.ts';
import { authorise, type ExpectedVersion, lockSentVersionForSides } from '../model/access/access.ts';
import { promptKindsUntilEnd } from '../model/attention/prompts.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { watchUntilOpened } from '../model/attention/watches.ts';
import { endWatches } from '../model/attention/watches-store.ts';
import type { EndedByLink, ReferralDeps } from '../model/deps.ts';
import { expectedOf, sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { wrongState } from '../model/problems.ts';
import type { Draft, Referral } from '../model/referral.ts';
import { clearSeenByLink } from '../model/referrals-store.ts';
import { reopenReferral } from '../model/reopen.ts';
import {
  badBody,
  idParams,
  ifMatchHeaders,
  notYours,
  orServiceHidden,
  staleVersion,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { checkTimeMs } from '../model/status/ending-by-link.ts';

/** What the referrer can still say of an ending by link. */
export type EndingToCheck = EndedByLink & { until: Date };

/** The statuses that an ending by link gives: nobody can cancel a referral by link. */
const statusesEndedByLink: readonly (Referral | Draft)['status'][] = ['rejected', 'completed', 'failed'];

/**
 * The ending by link that the referrer can still say was a mistake; null if there is none. Somebody who was helped another way, or
 * referred elsewhere, needs no second open referral.
 */
export async function findEndingToCheck(
  db: Db,
  { clock, roomsAbove }: Pick<ReferralDeps, 'clock' | 'roomsAbove'>,
  referral: Referral | Draft,
): Promise<EndingToCheck | null> {
  const { id, status, rerouted_to, referred_again, resolvedAt } = referral;
  if (!statusesEndedByLink.includes(status) || rerouted_to || referred_again || resolvedAt) return null;
  const ended = await roomsAbove.findEndingByLink(db, id);
  const until = ended && new Date(ended.at.getTime() + checkTimeMs);
  return until && until > clock.now() ? { ...ended, until } : null;
}

type EndingCheckRequest = ExpectedVersion & { ipAddress: string };

/**
 * The referrer says that an ending by link was a mistake, such as a button pressed for another person. The referral is again what it was
 * before, the service is told, and the letter about the ending is not sent. How staff of the service take back their own decline is in
 * `corrections/take-back-decline.ts`.
 * @throws Problem `not-found`, `forbidden` for the service, `version-stale`, `wrong-state` if it was not ended by link within 24 hours,
 * or the person is said to have died.
 */
export async function undoEnding(
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, ...expected }: EndingCheckRequest,
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    await authorise(trx, caller, expected.referralId, at);
    await lockPersonOfReferral(trx, expected.referralId);
    const referral = await lockSentVersionForSides(trx, caller, expected, ['referrer']);
    const { before } = requireEndingToCheck(await findEndingToCheck(trx, deps, referral));
    await checkDeathBeforeReopening(trx, deps, caller, referral);
    const wasDeclined = referral.status === 'rejected';
    // Somebody who mistook it for another referral has not seen it, so an urgent one is watched again.
    if (wasDeclined) await clearSeenByLink(trx, referral.id);
    await deletePrompts(trx, referral.id, promptKindsUntilEnd);
    await endWatches(trx, [referral.id]);
    const reopened = await reopenReferral(trx, deps, caller, referral, {
      before,
      by: 'referrer',
      action: wasDeclined ? 'referral.decline_undone' : 'referral.ending_undone',
      ipAddress,
      at,
    });
    await watchUntilOpened(trx, deps.settings, [reopened], at);
    await deps.roomsAbove.onEndingChecked(trx, reopened.id, { isRight: false, at });
    return loadAndPresent(trx, deps, caller, reopened, at);
  });
}

/**
 * The referrer says that an ending by link is right: the GP practice is told now, and not after 24 hours. The version stays.
 * @throws Problem as `undoEnding`.
 */
export async function confirmEnding(
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, ...expected }: EndingCheckRequest,
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const referral = await lockSentVersionForSides(trx, caller, expected, ['referrer']);
    requireEndingToCheck(await findEndingToCheck(trx, deps, referral));
    await deps.roomsAbove.onEndingChecked(trx, referral.id, { isRight: true, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.ending_confirmed',
      subject: { type: 'referral', id: referral.id },
    });
    return loadAndPresent(trx, deps, caller, referral, at);
  });
}

function requireEndingToCheck(ending: EndingToCheck | null): EndingToCheck {
  if (ending) return ending;
  throw new Problem(
    wrongState,
    'You can only do this within 24 hours of an ending by link that nobody has confirmed or dealt with.',
  );
}

const whyCheck =
  'A service without an account can decline, complete or close a referral by the link in its email, and anybody who has that email can press the button. So the GP practice is told of it only after 24 hours.';

export function checkEndingRoutes(app: App, deps: ReferralDeps): void {
  const routes = [
    {
      path: 'undo-ending',
      act: undoEnding,
      operationId: 'undoEnding',
      summary: 'Say that an ending by link was a mistake',
      description: `For the referrer. ${whyCheck} Until then this opens the referral again: it has the status that it had before, the service is told, and the letter about the ending is not sent.`,
    },
    // The older name. The page with this address does something else: there the service takes back its own decline.
    {
      path: 'undo-decline',
      act: undoEnding,
      operationId: 'undoDecline',
      summary: 'Say that a decline by link was a mistake',
      description: 'The same as `undo-ending`.',
    },
    {
      path: 'confirm-ending',
      act: confirmEnding,
      operationId: 'confirmEnding',
      summary: 'Say that an ending by link is right',
      description: `For the referrer. ${whyCheck} This tells it now. The version of the referral stays.`,
    },
  ];
  for (const { path, act, ...words } of routes)
    app.post(
      `/api/referrals/:id/${path}`,
      {
        config: { access: withToken(), scope: 'referrals:write' },
        schema: {
          ...words,
          tags,
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
              409: 'Nobody ended the referral by link in the last 24 hours, or you have confirmed it. Or the person has been referred elsewhere or helped another way since, or has died.',
            }),
          },
        },
      },
      async (request, reply) => {
        const expected = expectedOf(request);
        return sendReferral(reply, await act(deps, requireCaller(request), expected));
      },
    );
}
