import { type Caller, requireCaller } from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { fieldError, readChoices, readFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, signedIn } from '../../../platform/http/index.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import {
  forbidden,
  notFound,
  Problem,
  unprocessable,
  versionStale,
} from '../../../platform/problem/index.ts';
import { assignReferral, caseworkTeamOf } from '../../casework/casework.ts';
import { listColleaguesFor } from '../../casework/casework-store.ts';
import { sidesOf } from '../../model/access/sides.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { deathReported, referralErased, referralRestricted, wrongState } from '../../model/problems.ts';
import type { Draft, Referral } from '../../model/referral.ts';
import { findReferralsAndDrafts } from '../../model/referrals-store.ts';
import { isUsable } from '../../model/status/usable.ts';
import { acceptOpened, type OpenFirst, openFirstWords } from './accept-opened.ts';
import { type BulkResult, type ListPageDeps, maxSelected, maxWordsLength, sendList } from './list-page.ts';
import { listQuery, pathTo, readWorklistRequest, worklistRoles } from './list-request.ts';

/**
 * What people do with several referrals of a worklist at once. Each is a transaction of its own, and only if the referral is as the
 * list showed it; the answer is the list as it is now, which says what was done, and why any referral was skipped.
 */
export function bulkPages(app: App, deps: ListPageDeps): void {
  const config = page(signedIn(...worklistRoles), { countsBadge: true });
  const schema = { hide: true, querystring: listQuery };
  app.get('/referrals/selected', { config, schema }, (request, reply) => {
    const { chosen } = readWorklistRequest(requireCaller(request), request.query);
    return reply.redirect(pathTo({ ...chosen, page: request.query.page }), 303);
  });
  app.post(
    '/referrals/selected',
    { config, schema: { ...schema, body: anyForm } },
    async (request, reply) => {
      const caller = requireCaller(request);
      const { list } = readWorklistRequest(caller, request.query);
      const { action, owner, words: typed } = readFields(request.body, ['action', 'owner', 'words']);
      // The rows that somebody had searched for are shown again.
      const words = typed.slice(0, maxWordsLength);
      const selected = readSelected(request.body);
      const refuse = (name: string, text: string) =>
        sendList(deps, request, reply.code(unprocessable.status), request.query, {
          words,
          errors: fieldError(name, text),
          selectedIds: selected.map(({ referralId }) => referralId),
        });
      if (selected.length === 0) return refuse('select-1', 'Select at least one referral');
      if (action === 'accept' && list.name === 'received') {
        const result = await actOnEach(deps, caller, selected, (each) =>
          acceptOpened(deps, caller, { ...each, ipAddress: request.ip }),
        );
        return sendList(deps, request, reply, request.query, {
          words,
          result: { ...result, what: 'accepted' },
        });
      }
      const colleagues = await listColleaguesFor(deps.db, list.sides, caseworkTeamOf(caller));
      const colleague = colleagues.find(({ id }) => id === owner);
      if (owner !== 'nobody' && !colleague) return refuse('owner', 'Choose a colleague');
      const result = await actOnEach(deps, caller, selected, async ({ referralId, seenOwnerId }) => {
        const change = { ownerId: colleague?.id ?? null, seenOwnerId };
        await assignReferral(deps, caller, { referralId, ipAddress: request.ip, ...change });
        return undefined;
      });
      const what = colleague ? `assigned to ${colleague.name}` : 'assigned to nobody';
      return sendList(deps, request, reply, request.query, { words, result: { ...result, what } });
    },
  );
}

type SelectedReferral = { referralId: string; version: number; seenOwnerId: string | null };

/** The ticked rows of the form. A value that no row has is left out. */
function readSelected(body: unknown): SelectedReferral[] {
  const selected = new Map<string, SelectedReferral>();
  for (const value of readChoices(body, 'referral').slice(0, maxSelected)) {
    const [id = '', version = '', owner = ''] = value.split(' ');
    if (isUuid(id) && /^\d{1,9}$/.test(version))
      selected.set(id, {
        referralId: id,
        version: Number(version),
        seenOwnerId: isUuid(owner) ? owner : null,
      });
  }
  return [...selected.values()];
}

/** Acts on each, and says how many succeeded and why the others were skipped. */
async function actOnEach(
  { db }: ReferralDeps,
  caller: Caller,
  selected: readonly SelectedReferral[],
  act: (each: SelectedReferral) => Promise<OpenFirst | undefined>,
): Promise<Omit<BulkResult, 'what'>> {
  const reasons = new Map<string, string>();
  for (const each of selected) {
    const reason = await act(each).then((why) => why && openFirstWords[why], problemWords);
    if (reason !== undefined) reasons.set(each.referralId, reason);
  }
  const shown = await namesOf(db, caller, [...reasons.keys()]);
  const skipped = [...reasons].map(([id, reason]) => {
    const name = shown.get(id);
    return { name: name ?? 'One referral', href: name && `/referrals/${id}`, reason };
  });
  return { count: selected.length - skipped.length, skipped };
}

/** Why the action refused one of them. @throws the error itself, if it is about no single referral */
function problemWords(error: unknown): string {
  const words = error instanceof Problem ? refusalWords.get(error.kind) : undefined;
  if (words === undefined) throw error;
  return words;
}

const refusalWords = new Map([
  [versionStale, 'somebody has changed it since you opened this list'],
  [wrongState, 'it is not waiting for an answer'],
  [deathReported, 'the person is said to have died'],
  [referralRestricted, 'it is restricted for now'],
  [referralErased, 'it was erased'],
  [forbidden, 'you may not do this with it'],
  [notFound, 'you can no longer see it'],
  [unprocessable, 'that colleague cannot look after it'],
]);

/** The people, or the references, of referrals that the caller is on a side of. */
async function namesOf(db: Db, caller: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const referrals = await findReferralsAndDrafts(db, ids);
  const own = referrals.filter((referral) => sidesOf(caller, referral).length > 0);
  return new Map(own.map((referral) => [referral.id, nameOf(referral)]));
}

function nameOf(referral: Referral | Draft): string {
  const { given_name, family_name } = referral.content.patient ?? {};
  const person = isUsable(referral) ? [given_name, family_name].filter(Boolean).join(' ') : '';
  return person ? `${person}, ${referral.reference}` : referral.reference;
}
