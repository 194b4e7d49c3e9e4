import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { runs } from '../../../test/app/runs.ts';
import type { ReferralStatus } from '../model/referral.ts';
import type { Action, Side } from '../model/status/state-machine.ts';
import { actionExamples } from './action-routes.ts';

// Actions in any order, by either side, twice at once and with versions that do not exist yet, against the table of the design.

/** From, action, to, by whom: the table of the design, written out here so that the code is compared with it. */
const table = [
  ['requested', 'accept', 'accepted', 'provider'],
  ['requested', 'reject', 'rejected', 'provider'],
  ['requested', 'cancel', 'cancelled', 'referrer'],
  ...(['accepted', 'in-progress', 'on-hold'] as const).flatMap((from) => [
    [from, 'complete', 'completed', 'provider'] as const,
    [from, 'fail', 'failed', 'provider'] as const,
    [from, 'cancel', 'cancelled', 'either'] as const,
  ]),
  ['accepted', 'start', 'in-progress', 'provider'],
  ['on-hold', 'start', 'in-progress', 'provider'],
  ['accepted', 'hold', 'on-hold', 'provider'],
  ['in-progress', 'hold', 'on-hold', 'provider'],
  ['on-hold', 'change-wait', 'on-hold', 'provider'],
] as const;

function next(from: ReferralStatus, action: Action, side: Side): ReferralStatus | undefined {
  if (action === 'withdraw-as-error')
    return side === 'referrer' && from !== 'entered-in-error' ? 'entered-in-error' : undefined;
  return table.find((row) => row[0] === from && row[1] === action && [side, 'either'].includes(row[3]))?.[2];
}

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;
let site: TestApp;
let serviceId: string;
let staff: Record<Side, Holder>;
beforeAll(async () => {
  site = await makeApp();
  const place = await aService(site.deps);
  ({ serviceId } = place);
  staff = {
    referrer: await aTokenHolder(site.deps),
    provider: await aTokenHolder(site.deps, {
      role: 'provider',
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    }),
  };
});
afterAll(() => site.close());

async function send(side: Side, path: string, payload: object, version?: number) {
  const answer = await site.app.inject({
    method: 'POST',
    url: `/api/referrals${path}`,
    payload,
    headers: { ...staff[side].headers, ...(version && { 'if-match': `"${version}"` }) },
  });
  return { status: answer.statusCode, body: answer.json() };
}

const aMove = fc.record({
  action: fc.constantFrom(...(Object.keys(actionExamples) as Action[])),
  side: fc.constantFrom<Side>('referrer', 'provider'),
});
/** Actions taken at the same moment on the same version: mostly one, or the same one twice. */
const aStep = fc.record({
  moves: fc.oneof(
    aMove.map((move) => [move]),
    aMove.map((move) => [move, move]),
    fc.array(aMove, { minLength: 2, maxLength: 3 }),
  ),
  stale: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});

describe('a referral', () => {
  it('changes only as the table allows, and has it in its history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 4, maxLength: 9 }), async (steps) => {
        const body = { ...aReferral(serviceId), allow_duplicate: true };
        const { id } = (await send('referrer', '', body)).body;
        let now: ReferralStatus = 'requested';
        let version = 1;
        const went: [string | null, string][] = [[null, 'requested']];
        for (const { moves, stale } of steps) {
          const seen = stale ? version + 1 : version;
          const answers = await Promise.all(
            moves.map(({ side, action }) => send(side, `/${id}/${action}`, actionExamples[action], seen)),
          );
          const goals = moves.map(({ side, action }) => (stale ? undefined : next(now, action, side)));
          const winners = answers.flatMap(({ status }, place) => (status === 200 ? [place] : []));
          expect(winners).toHaveLength(goals.some((to) => to !== undefined) ? 1 : 0);
          for (const [place, { status }] of answers.entries())
            if (!winners.includes(place))
              // A side that may act comes too late; a side that may not is refused either way.
              expect(goals[place] ? [412] : [403, 409, 412]).toContain(status);
          const [won] = winners;
          if (won === undefined) continue;
          const to = goals[won]!;
          went.push([now, to]);
          now = to;
          version += 1;
          expect(answers[won]!.body).toMatchObject({ status: to, version });
        }
        const { headers } = staff.provider;
        const history = await site.app.inject({ url: `/api/referrals/${id}/history`, headers });
        expect(
          history.json().items.map(({ from, to }: { from: string | null; to: string }) => [from, to]),
        ).toEqual(went);
      }),
      { numRuns: runs(12) },
    );
  });

  it('names the statuses in which the caller may act', async () => {
    const { id, version } = (await send('referrer', '', { ...aReferral(serviceId), allow_duplicate: true }))
      .body;
    const reason = { status_reason: { code: 'no-capacity', text: 'Full until spring' } };
    const early = await send('provider', `/${id}/cancel`, reason, version);
    expect([early.status, early.body.detail]).toEqual([
      409,
      'It is requested; for you that is possible only when it is accepted or in-progress or on-hold.',
    ]);
  });
});
