import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findReferralMarks } from '../../library/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import {
  type App,
  describePattern,
  listOf,
  listQuery,
  noOtherFields,
  noToken,
  problemAnswers,
  type Request,
  withToken,
} from '../../platform/http/index.ts';
import { type AuthorisedReferral, authorise } from '../model/access/access.ts';
import { withoutHiddenContent } from '../model/access/hide-sensitive-services.ts';
import { hideDetails, hideEarlierServices, hideFieldOfStaff, hideWords } from '../model/access/hide-words.ts';
import { recordAccess } from '../model/access/looks.ts';
import { confidentialAddressField, hasStaffAddress } from '../model/access/referrers-details.ts';
import { sidesOf, type View } from '../model/access/sides.ts';
import { markRead } from '../model/attention/readings-store.ts';
import { noteSeen } from '../model/attention/watches.ts';
import { endWatchesOfCrisisWords } from '../model/attention/watches-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { type HistoryLine, listHistory } from '../model/history-store.ts';
import { isShownToSomebody, sendReferral } from '../model/presentation/http.ts';
import {
  etagOf,
  type PresentedReferral,
  presentHistoryLine,
  presentReferral,
  withoutHiddenAddress,
} from '../model/presentation/present.ts';
import { loadDetails } from '../model/presentation/referral-details.ts';
import { historySchema } from '../model/schemas/referral.ts';
import {
  idParams,
  ifNoneMatchHeaders,
  notYours,
  shownToHeaders,
  tags,
} from '../model/schemas/route-parts.ts';
import { isUsable } from '../model/status/usable.ts';

export type ReadReferral = AuthorisedReferral & {
  presented: PresentedReferral;
  history: HistoryLine[];
  /** The reader may not know to which service the person was referred. */
  isServiceHidden: boolean;
  /** A confidential service entered the present address, and keeps it from the reader. */
  isAddressHidden: boolean;
};

type ReadOptions = {
  /** False if the client has the referral with this ETag already, and gets a 304 without it. */
  isNewToClient?: (etag: string) => boolean;
  /** A person has it on a screen now. Without one, it was delivered to a program and counts as seen by nobody. */
  shownToSomebody?: boolean;
  /** True for the API. The page of a referral marks by itself what this person has read. */
  byClient?: boolean;
};

/**
 * Reads one referral with its history, and audits the reading.
 * @throws Problem `not-found`, also when it exists and the caller may not see it.
 */
export function readReferral(
  deps: ReferralDeps,
  caller: Caller,
  id: string,
  ipAddress: string,
  options: ReadOptions = {},
): Promise<ReadReferral> {
  return inTransaction(deps.db, (trx) =>
    readReferralInTransaction(trx, deps, caller, id, ipAddress, options),
  );
}

export async function readReferralInTransaction(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  id: string,
  ipAddress: string,
  { isNewToClient = () => true, shownToSomebody = false, byClient = false }: ReadOptions,
): Promise<ReadReferral> {
  const now = deps.clock.now();
  const authorised = await authorise(trx, caller, id, now);
  const { referral: stored, sides, gaveReason } = authorised;
  const detailsOfStored = await loadDetails(trx, deps, [{ caller, referral: stored }], now);
  const mustSend = isNewToClient(etagOf(presentReferral(caller, stored, { ...detailsOfStored, gaveReason })));
  const isSeen = mustSend && shownToSomebody && isUsable(stored);
  const current = isSeen ? await noteSeen(trx, caller, authorised, now) : stored;
  if (mustSend) await recordAccess(trx, deps, caller, authorised, now);
  const details =
    current === stored ? detailsOfStored : await loadDetails(trx, deps, [{ caller, referral: current }], now);
  const isServiceHidden = details.hiddenServices.has(current.id);
  if (isSeen && !isServiceHidden && !caller.isSystem)
    await noteWordsSeen(trx, caller, { referral: current, sides }, { isRead: byClient });
  const isAddressHidden = details.hiddenAddresses.has(current.id) && hasStaffAddress(current);
  const referral = isServiceHidden ? withoutHiddenContent(current) : withoutHiddenAddress(current, details);
  await recordAudit(trx, {
    at: now,
    actor: actorOf(caller, ipAddress),
    action: 'referral.read',
    subject: { type: 'referral', id: referral.id },
    // The audit must show whether an operator read clinical content or only the status.
    ...(gaveReason && { details: { opened: true } }),
  });
  const mayReadDetails = isUsable(referral) && (sides.length > 0 || gaveReason);
  return {
    ...authorised,
    referral,
    isServiceHidden,
    isAddressHidden,
    presented: presentReferral(caller, referral, { ...details, gaveReason }),
    history: await visibleHistory(trx, { caller, referral }, { isServiceHidden, mayReadDetails }),
  };
}

/** What the referral says is seen, so its watches end. @param isRead this person’s lists do not call it changed any more, either */
async function noteWordsSeen(
  trx: Trx,
  { accountId }: Caller,
  { referral: { id, version }, sides }: Pick<AuthorisedReferral, 'referral' | 'sides'>,
  { isRead }: { isRead: boolean },
): Promise<void> {
  await endWatchesOfCrisisWords(trx, id, { sides, accountId });
  if (isRead && sides.length > 0)
    await markRead(trx, id, accountId, { lastMessageId: null, lastAttachmentId: null, version });
}

/** The history, without what the reader may not know. */
async function visibleHistory(
  trx: Trx,
  view: View,
  { isServiceHidden, mayReadDetails }: { isServiceHidden: boolean; mayReadDetails: boolean },
): Promise<HistoryLine[]> {
  const lines = await listHistory(trx, view.referral.id);
  const history = isServiceHidden
    ? hideDetails(view, await hideWords(trx, { ...view, isServiceHidden }, lines))
    : await hideEarlierServices(trx, view, await hideAddressOfService(trx, view, lines));
  return mayReadDetails ? history : history.map((line) => ({ ...line, reason: null, details: null }));
}

/** The referrer never reads the address that a confidential service entered, even in the history. */
async function hideAddressOfService(
  trx: Trx,
  view: View,
  lines: readonly HistoryLine[],
): Promise<HistoryLine[]> {
  const sides = sidesOf(view.caller, view.referral);
  const isReferrer = sides.includes('referrer') && !sides.includes('provider');
  const hasAddress = lines.some(({ details }) =>
    details?.changes.some(({ field }) => field === confidentialAddressField),
  );
  if (!isReferrer || !hasAddress || view.referral.service_id === null) return [...lines];
  const { isSensitiveOrConfidential } = await findReferralMarks(trx);
  return isSensitiveOrConfidential(view.referral)
    ? hideFieldOfStaff(view, lines, confidentialAddressField)
    : [...lines];
}

const versionCursor = Type.String({
  pattern: describePattern('^[0-9]{1,9}$', 'must be the next_cursor of an earlier answer'),
  description: 'The next_cursor of the last answer.',
});

/** Whether the client has exactly this already. */
function hasCurrentEtag({ headers }: Pick<Request, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}

export function readReferralRoutes(app: App, deps: ReferralDeps): void {
  const refusals = problemAnswers({ 401: noToken, 404: notYours });
  app.get(
    '/api/referrals/:id',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'getReferral',
        tags,
        summary: 'Read a referral',
        description:
          'One referral as it is now, with the state of its deliveries. Send its `ETag` as `If-Match` with an action, which compares only the version in it. The `ETag` covers everything that is shown: sent as `If-None-Match`, it is answered 304 only if the whole answer would be the same. Reading alone does not count as seen by a person: see `Onward-Shown-To`.',
        params: idParams,
        headers: Type.Object({ ...ifNoneMatchHeaders.properties, ...shownToHeaders.properties }),
        response: {
          200: Type.Ref('Referral'),
          304: { description: 'You have exactly this already.', type: 'null' },
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { presented } = await readReferral(deps, requireCaller(request), request.params.id, request.ip, {
        isNewToClient: (etag) => request.method === 'GET' && !hasCurrentEtag(request, etag),
        shownToSomebody: isShownToSomebody(request),
        byClient: true,
      });
      const etag = etagOf(presented);
      if (hasCurrentEtag(request, etag)) return reply.code(304).header('etag', etag).send();
      return sendReferral(reply, presented);
    },
  );

  app.get(
    '/api/referrals/:id/history',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'getReferralHistory',
        tags,
        summary: 'Read a referral’s history',
        description:
          'Every change of the status, and every correction, transfer, change of the agreement and report of a death: when, by whom, from what to what, and why, oldest first. Nothing in it is ever changed.',
        params: idParams,
        querystring: Type.Object({ ...listQuery, cursor: Type.Optional(versionCursor) }, noOtherFields),
        response: {
          200: listOf(historySchema),
          ...problemAnswers({ 400: 'A parameter is not known or not of the right form.' }),
          ...refusals,
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor = '0' } = request.query;
      const { history } = await readReferral(deps, requireCaller(request), request.params.id, request.ip);
      const later = history.filter(({ version }) => version > Number(cursor));
      const lines = later.slice(0, limit);
      return {
        items: lines.map(presentHistoryLine),
        next_cursor: later.length > limit ? String(lines.at(-1)!.version) : null,
      };
    },
  );
}
