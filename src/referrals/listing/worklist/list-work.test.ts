import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { runs } from '../../../../test/app/runs.ts';
import { markSensitive, setAccepts } from '../../../../test/library/stored.ts';
import { referralLifeFixture } from '../../../../test/referrals/life-fixture.ts';
import { callerOf, findAccount } from '../../../accounts/index.ts';
import {
  countNeedingCaller,
  countTabs,
  countWorkRows,
  listFilterChoices,
  readWorklist,
  type WorklistRequest,
  workCountText,
} from './list-work.ts';

const fixture = await referralLifeFixture();
const { site, place, referrer, colleague, provider, operator, stranger } = fixture;
const { get, shown, post, later, aPerson, makeReferral, reason } = fixture;
const day = 24 * 60 * 60 * 1000;

describe('the number of rows', () => {
  it('has a comma, and a plus where more are not counted', () => {
    expect([12, 1000, 1001].map(workCountText)).toEqual(['12', '1,000', '1,000+']);
  });
});

async function callerFor({ id }: { id: string }) {
  return callerOf((await findAccount(site.deps.db, id))!, 'session');
}

/** The references of a worklist of somebody, page by page. */
async function listOf(who: { id: string }, request: WorklistRequest, pageLength = 50): Promise<string[]> {
  const caller = await callerFor(who);
  const references: string[] = [];
  for (let page = 1; ; page += 1) {
    const { rows } = await readWorklist(site.deps, caller, request, { page, pageLength, ipAddress: '::1' });
    references.push(...rows.map(({ referral }) => referral.reference));
    if (rows.length < pageLength) return references;
  }
}

const act = async (who: typeof provider, id: string, action: string, body: object = {}) =>
  post(who, `/${id}/${action}`, body, (await get(who, `/${id}`)).body.version);

// In the order in which they are made: nothing of it is the order of the list.
const ended = await makeReferral();
await act(provider, ended.id, 'accept');
await act(provider, ended.id, 'complete', { outcome: { code: 'other', text: 'Well.' } });
const declined = await makeReferral();
await act(provider, declined.id, 'reject', reason);
const overdue = await makeReferral();
await later(20 * day);
const routine = await makeReferral();
await later(day);
const urgent = await makeReferral({ urgency: 'urgent' });
const unread = await makeReferral();
await post(referrer, `/${unread.id}/messages`, { text: 'A question.' });
const sooner = await makeReferral();
const accepted = await makeReferral();
await act(provider, accepted.id, 'accept');
const another = await post(colleague, '', aPerson());
const names: Record<string, string> = {
  [ended.reference]: 'ended',
  [declined.reference]: 'declined',
  [overdue.reference]: 'overdue',
  [routine.reference]: 'routine',
  [urgent.reference]: 'urgent',
  [unread.reference]: 'unread',
  [sooner.reference]: 'sooner',
  [accepted.reference]: 'accepted',
  [another.body.reference]: 'another',
};
const named = async (...given: Parameters<typeof listOf>) =>
  (await listOf(...given)).map((reference) => names[reference]);

describe('a worklist', () => {
  it('has late and urgent ones first, then what needs somebody', async () => {
    const received = await named(provider, { list: 'received', tab: 'all' });
    // A message on a routine referral waits behind them.
    expect(received.slice(0, 3)).toEqual(['overdue', 'urgent', 'unread']);
    expect(received.indexOf('routine')).toBeLessThan(received.indexOf('sooner'));
    expect(new Set(received.slice(-2))).toEqual(new Set(['ended', 'declined']));
    expect(received).toHaveLength(9);
    const made = await named(referrer, { list: 'made', tab: 'all' });
    expect(made.slice(0, 3)).toEqual(['overdue', 'urgent', 'declined']);
  });

  it('has only the referrals that match the tab and the filter', async () => {
    expect(await named(referrer, { list: 'made', tab: 'waiting' })).toEqual(['declined']);
    const unanswered = await named(provider, { list: 'received', tab: 'unanswered' });
    expect(unanswered).toEqual(expect.arrayContaining(['unread', 'overdue', 'urgent', 'routine']));
    const needed = await named(provider, { list: 'received', tab: 'waiting' });
    expect(needed.slice(0, 3)).toEqual(['overdue', 'urgent', 'unread']);
    expect(needed.toSorted(), 'what is new needs action').toEqual(unanswered.toSorted());
    expect(await named(provider, { list: 'received', tab: 'under-way' })).toEqual(['accepted']);
    for (const tab of ['all', 'waiting'])
      expect(await named(provider, { list: 'received', tab, urgentOnly: true }), tab).toEqual(['urgent']);
    expect(await named(provider, { list: 'received', tab: 'all', overdueOnly: true })).toEqual(['overdue']);
    expect(await named(provider, { list: 'received', tab: 'all', unreadOnly: true })).toEqual(['unread']);
    expect(await named(colleague, { list: 'made', tab: 'all', mineOnly: true })).toEqual(['another']);
    expect(await named(provider, { list: 'received', tab: 'all', status: 'rejected' })).toEqual(['declined']);
    const elsewhere = await aService(site.deps);
    const request = { list: 'received', tab: 'all', serviceId: elsewhere.serviceId } as const;
    expect(await named(provider, request)).toEqual([]);
    expect(await named(provider, { ...request, serviceId: place.serviceId })).toHaveLength(9);
    const ofColleague = { list: 'made', tab: 'all', ownerId: colleague.id } as const;
    expect(await named(referrer, ofColleague)).toEqual(['another']);
    const { organisation } = await callerFor(referrer);
    const from = (referrerOrganisationId: string) =>
      named(provider, { list: 'received', tab: 'all', referrerOrganisationId });
    expect(await from(organisation!.id)).toHaveLength(9);
    expect(await from((await callerFor(provider)).organisation!.id)).toEqual([]);
  });

  it('narrows to its own services, and to no hidden one', async () => {
    const namesOf = async (who: { id: string }, list: WorklistRequest['list']) => {
      const { services, organisations } = await listFilterChoices(site.deps, await callerFor(who), list);
      return { services: services.map(({ id }) => id), organisations: organisations.map(({ name }) => name) };
    };
    const { organisation } = await callerFor(referrer);
    const all = { services: [place.serviceId], organisations: [organisation!.name] };
    for (const [who, list] of [
      [referrer, 'made'],
      [provider, 'received'],
      [operator, 'all'],
    ] as const)
      expect(await namesOf(who, list), list).toEqual(all);
    expect(await namesOf(stranger, 'made')).toEqual({ services: [], organisations: [] });
    const refuge = await aService(site.deps);
    await setAccepts(site.deps.db, refuge.serviceId, true);
    await post(referrer, '', { ...aPerson(), service_id: refuge.serviceId });
    await markSensitive(site.deps.db, refuge.serviceId);
    expect((await namesOf(referrer, 'made')).services.toSorted()).toEqual(
      [place.serviceId, refuge.serviceId].toSorted(),
    );
    expect((await namesOf(colleague, 'made')).services).toEqual([place.serviceId]);
    expect((await namesOf(operator, 'all')).services).toEqual([place.serviceId]);
  });

  it('has counts that equal its lists, for any filter', async () => {
    const flag = fc.boolean();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('made' as const, 'received' as const, 'all' as const),
        fc.constantFrom('all', 'waiting', 'unanswered', 'under-way', 'waiting-list', 'ended'),
        fc.record({
          urgentOnly: flag,
          overdueOnly: flag,
          unreadOnly: flag,
          mineOnly: flag,
          ownerId: fc.option(fc.constant(colleague.id), { nil: undefined }),
        }),
        fc.integer({ min: 1, max: 4 }),
        async (list, tab, filters, pageLength) => {
          const who = { made: referrer, received: provider, all: operator }[list];
          const request = { list, tab, ...filters };
          const listed = await listOf(who, request, pageLength);
          expect(new Set(listed).size).toBe(listed.length);
          expect(listed).toHaveLength(await countWorkRows(site.deps, await callerFor(who), request));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('combines its filters to what each alone would leave', async () => {
    const each: Record<string, Partial<WorklistRequest>> = {
      urgent: { urgentOnly: true },
      overdue: { overdueOnly: true },
      unread: { unreadOnly: true },
      mine: { mineOnly: true },
      colleague: { ownerId: colleague.id },
      requested: { status: 'requested' },
      completed: { status: 'completed' },
      service: { serviceId: place.serviceId },
    };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('made' as const, 'received' as const, 'all' as const),
        fc.constantFrom('all', 'waiting', 'unanswered', 'under-way', 'waiting-list', 'ended'),
        fc.subarray(Object.keys(each), { minLength: 1, maxLength: 4 }),
        fc.option(fc.constantFrom(...(['due', 'made'] as const)), { nil: undefined }),
        async (list, tab, chosen, by) => {
          if (chosen.includes('requested') && chosen.includes('completed')) return;
          const who = { made: referrer, received: provider, all: operator }[list];
          const sort = by && ({ by, direction: 'desc' } as const);
          const listed = (filters: Partial<WorklistRequest>) => named(who, { list, tab, sort, ...filters });
          let expected = await listed({});
          for (const name of chosen) {
            const alone = await listed(each[name]!);
            expected = expected.filter((row) => alone.includes(row));
          }
          const together = await listed(Object.assign({}, ...chosen.map((name) => each[name])));
          expect(together.toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('has only unread ones of what needs action, if both are on', async () => {
    const request = { list: 'received', tab: 'waiting', unreadOnly: true } as const;
    expect(await named(provider, request)).toEqual(['unread']);
  });

  it('has nothing of others, and the tabs say how many there are', async () => {
    expect(await listOf(stranger, { list: 'made', tab: 'all' })).toEqual([]);
    const counts = await countTabs(site.deps, await callerFor(provider), 'received');
    expect(Object.fromEntries(counts)).toMatchObject({ all: 9, 'under-way': 1, ended: 2, waiting: 6 });
    expect(await countNeedingCaller(site.deps, await callerFor(referrer))).toBe(1);
    expect(await countNeedingCaller(site.deps, await callerFor(provider))).toBe(6);
  });
});

describe('a worklist that is sorted', () => {
  const due = (direction: 'asc' | 'desc') => ({ by: 'due', direction }) as const;
  const made = (direction: 'asc' | 'desc') => ({ by: 'made', direction }) as const;

  it('has the same rows in every order, on every length of a page', async () => {
    const rows = (await listOf(provider, { list: 'received', tab: 'all' })).toSorted();
    for (const sort of [due('asc'), due('desc'), made('asc'), made('desc')])
      for (const pageLength of [2, 50])
        expect(
          (await listOf(provider, { list: 'received', tab: 'all', sort }, pageLength)).toSorted(),
        ).toEqual(rows);
  });

  it('shows each of many due on one day once, page by page', async () => {
    for (let count = 0; count < 7; count += 1) {
      const { id } = await makeReferral();
      await act(provider, id, 'accept');
    }
    for (const sort of [undefined, due('asc'), due('desc')]) {
      const request = { list: 'received', tab: 'under-way', sort } as const;
      const whole = await listOf(provider, request);
      expect(whole).toHaveLength(8);
      expect(await listOf(provider, request, 3)).toEqual(whole);
    }
  });

  it('begins with the newest or the oldest by when it was made', async () => {
    const request = { list: 'received', tab: 'all' } as const;
    const newest = await listOf(provider, { ...request, sort: made('desc') });
    const placeOf = ({ reference }: { reference: string }) => newest.indexOf(reference);
    expect(placeOf(urgent)).toBeLessThan(placeOf(routine));
    expect(placeOf(routine)).toBeLessThan(placeOf(overdue));
    expect(await listOf(provider, { ...request, sort: made('asc') })).toEqual(newest.toReversed());
    const late = { ...request, overdueOnly: true, sort: made('asc') };
    expect((await listOf(provider, late))[0]).toBe(overdue.reference);
  });

  it('ends with what has no date, by when it is due', async () => {
    const request = { list: 'received', tab: 'all' } as const;
    const soonest = await listOf(provider, { ...request, sort: due('asc') });
    const latest = await listOf(provider, { ...request, sort: due('desc') });
    expect(soonest[0]).toBe(overdue.reference);
    for (const list of [soonest, latest])
      expect(new Set(list.slice(-2))).toEqual(new Set([declined.reference, ended.reference]));
    expect(latest.slice(0, -2).at(-1)).toBe(overdue.reference);
  });

  it('has ended ones with news after open ones for the reader', async () => {
    const told = await makeReferral();
    await act(provider, told.id, 'accept');
    await act(provider, told.id, 'complete', { outcome: { code: 'other', text: 'Well.' } });
    const cancelled = await makeReferral();
    await act(referrer, cancelled.id, 'cancel', reason);
    const urgentAccepted = await makeReferral({ urgency: 'urgent' });
    await act(provider, urgentAccepted.id, 'accept');
    for (const { id } of [told, cancelled]) {
      await post(referrer, `/${id}/messages`, { text: 'One more thing.' });
      await post(provider, `/${id}/messages`, { text: 'Thank you.' });
    }
    const endedOnes = [told.reference, cancelled.reference];
    for (const tab of ['all', 'waiting']) {
      const received = await listOf(provider, { list: 'received', tab });
      const waiting = await listOf(provider, { list: 'received', tab: 'unanswered' });
      const lastToAnswer = Math.max(...waiting.map((each) => received.indexOf(each)));
      for (const each of endedOnes) expect(received.indexOf(each), tab).toBeGreaterThan(lastToAnswer);
    }
    for (const [who, list] of [
      [provider, 'received'],
      [referrer, 'made'],
    ] as const) {
      const listed = await listOf(who, { list, tab: 'all' });
      for (const each of endedOnes)
        expect(listed.indexOf(each), list).toBeGreaterThan(listed.indexOf(urgentAccepted.reference));
    }
  });

  it('begins with news of a crisis, for either side, ended or not', async () => {
    const text = 'She says that she wants to die.';
    const over = await makeReferral();
    await act(provider, over.id, 'reject', reason);
    await post(provider, `/${over.id}/messages`, { text });
    expect((await listOf(referrer, { list: 'made', tab: 'all' }))[0]).toBe(over.reference);
    await post(referrer, `/${over.id}/messages`, { text });
    expect((await listOf(provider, { list: 'received', tab: 'all' }))[0]).toBe(over.reference);
  });

  it('shows the referrer an urgent one unopened for too long', async () => {
    const request = { list: 'made', tab: 'waiting' } as const;
    const fresh = await makeReferral({ urgency: 'urgent' });
    const routineOne = await makeReferral();
    expect(await listOf(referrer, request)).not.toContain(fresh.reference);
    await later(3 * day);
    const listed = await listOf(referrer, request);
    expect(listed).toHaveLength(await countWorkRows(site.deps, await callerFor(referrer), request));
    expect(listed.indexOf(fresh.reference)).toBeGreaterThan(-1);
    expect(listed.indexOf(fresh.reference)).toBeLessThan(listed.indexOf(declined.reference));
    expect(listed).not.toContain(routineOne.reference);
    await shown(provider, `/${fresh.id}`);
    expect(await listOf(referrer, request)).not.toContain(fresh.reference);
  });
});
