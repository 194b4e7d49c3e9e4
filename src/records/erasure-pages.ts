import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import {
  type FormErrors,
  readChoices,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
} from '../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { requireRefusal, unprocessable } from '../platform/problem/index.ts';
import {
  approveErasure,
  countDueButOpen,
  countErasuresDue,
  listDueRecords,
  openItemsInWords,
  type RecordKind,
  type ReferralDeps,
  retentionRule,
} from '../referrals/index.ts';
import { rowsForOperator } from './rows-for-operator.ts';

const path = '/operator/patients/erasure';
const maxShown = 50;
const done = successBanner({
  approved:
    'Approved. The records are erased tonight. Until then you can open one and keep it for another year.',
});

const kindWords: Readonly<Record<RecordKind, string>> = {
  adult: 'Adult',
  child: 'Child',
  mental_health: 'Mental health',
  service: 'A service with a period of its own',
};

/** The page of referrals due for erasure, for a named person to approve. It names nobody, so opening it is not audited. */
export function erasurePages(app: App, deps: ReferralDeps & WebPlatform): void {
  const access = signedIn('operator');
  const querystring = Type.Object({ done: done.query });
  app.get(path, { config: page(access), schema: { hide: true, querystring } }, (request, reply) =>
    showDue(deps, request, reply, { done: done.words(request.query.done) }),
  );
  app.post(
    `${path}/approve`,
    {
      config: page(access, { needsRecentSignIn: true, returnTo: path }),
      schema: { hide: true, body: anyForm },
    },
    async (request, reply) => {
      const ids = readChoices(request.body, 'ids').slice(0, maxShown);
      const { reason } = readUntrimmedFields(request.body, ['reason']);
      try {
        await approveErasure(deps, requireCaller(request), { ids, reason, ipAddress: request.ip });
        return reply.redirect(done.path(path, 'approved'), 303);
      } catch (error) {
        requireRefusal(error, [unprocessable]);
        const errors = toFormErrors({ reason: 'The reason' }, error);
        return showDue(deps, request, reply.code(422), { errors, reason });
      }
    },
  );
}

type PageState = { done?: string | undefined; errors?: FormErrors; reason?: string };

async function showDue(
  deps: ReferralDeps & WebPlatform,
  request: Request,
  reply: Reply,
  state: PageState,
): Promise<Reply> {
  const rule = retentionRule(deps);
  const counts = await countErasuresDue(deps.db, rule);
  const listRows = async (group: 'waiting' | 'approved' | 'open') => {
    const due = await listDueRecords(deps.db, rule, { state: group, limit: maxShown });
    const rows = await rowsForOperator(deps.db, requireCaller(request), due);
    return rows.map((each) => ({
      ...each,
      kindInWords: kindWords[each.kind],
      openInWords: openItemsInWords(each.open),
    }));
  };
  const total = (isApproved: boolean) =>
    counts.filter((each) => each.approved === isApproved).reduce((sum, { count }) => sum + count, 0);
  return deps.pages.send(request, reply, 'records/templates/erasure.njk', {
    ...state,
    years: rule.automaticYears,
    count: total(false),
    approvedCount: total(true),
    kinds: counts
      .filter(({ approved }) => !approved)
      .map((each) => ({ ...each, words: kindWords[each.kind] })),
    rows: await listRows('waiting'),
    approvedRows: await listRows('approved'),
    openRows: await listRows('open'),
    openCount: await countDueButOpen(deps.db, rule),
  });
}
