import { afterAll, describe, expect, it } from 'vitest';
import { disableAccount } from '../../../test/accounts/stored.ts';
import { anAccount, aTokenHolder } from '../../../test/app/builders.ts';
import { giveUpJobs, listJobs } from '../../../test/app/jobs.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { countRows } from '../../../test/database/stored.ts';
import { storeUnmatchedMessage } from '../../../test/delivery/unmatched-message.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import { collectUnmatched } from './collect.ts';
import { closeUnmatched, insertReading, listUnmatched } from './unmatched-store.ts';

const { app, deps, close } = await makeApp();
afterAll(close);
const operator = await aTokenHolder(deps, { role: 'operator', name: 'Olga Operator' });
const referrer = await aTokenHolder(deps);

async function call(method: 'GET' | 'POST', path: string, payload?: object, who = operator) {
  const url = `/api/loose-ends${path}`;
  const answer = await app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const at = new Date('2026-11-21T09:30:00.000Z');
const wholeList = { open: true, after: undefined, limit: 100 };
const open = async () => (await call('GET', '')).body.items;
const giveUp = () => giveUpJobs(deps.pool, { key: 'lost' });

describe('the unmatched items of a former operator', () => {
  it('are shared out among the others, also when they come back', async () => {
    const site = await makeApp();
    const { db } = site.deps;
    const gone = await anAccount(site.deps, { role: 'operator' });
    for (const id of ['1', '2', '3', '4', '5'])
      await storeUnmatchedMessage(db, { id, from: 'X26OT9', body: 'hello' });
    await inTransaction(db, (trx) => addKeyedJob(trx, 'poll-channels', {}, { key: 'back', inSeconds: 9 }));
    await giveUpJobs(site.deps.pool, { key: 'back' });
    await collectUnmatched(site.deps);
    const [job] = (await listUnmatched(db, wholeList)).filter(({ kind }) => kind === 'given-up-job');
    await inTransaction(db, (trx) =>
      closeUnmatched(trx, job!.id, { as: 'retried', by: gone.id, words: null }, at),
    );
    const others = [1, 2].map(() => anAccount(site.deps, { role: 'operator' }));
    const [one, two] = await Promise.all(others);
    await disableAccount(db, gone.id);
    await collectUnmatched(site.deps);
    const owners = (await listUnmatched(db, wholeList)).map(({ owner }) => owner!.id);
    const counts = [one!.id, two!.id].map((id) => owners.filter((owner) => owner === id).length);
    expect(counts).toEqual([3, 3]);
    await site.close();
  });
});

describe('the worklist of unmatched items', () => {
  it('gives messages and given-up jobs an owner and an end', async () => {
    await storeUnmatchedMessage(deps.db, { id: '20261121-1', from: 'X26OT9', body: 'hello' });
    const lost = { key: 'lost', inSeconds: 24 * 3600 };
    await inTransaction(deps.db, (trx) => addKeyedJob(trx, 'poll-channels', {}, lost));
    await giveUp();
    await collectUnmatched(deps);
    await collectUnmatched(deps);
    const [message, job] = (await open()).sort((a: any, b: any) => b.kind.localeCompare(a.kind));
    expect(message).toMatchObject({ kind: 'unexplained-message', what: expect.stringContaining('X26OT9') });
    expect(job).toMatchObject({
      kind: 'given-up-job',
      what: expect.stringMatching(
        /^Checking the mailbox of the NHS message exchange failed \d+ times.*“poll-channels”/,
      ),
    });
    expect([message.owner.name, job.owner.name]).toEqual(['Olga Operator', 'Olga Operator']);
    expect(await countRows(deps.db, 'mails')).toBe(1);
    expect((await call('GET', '', undefined, referrer)).status).toBe(403);

    expect((await call('POST', `/${message.id}/retry`, {})).status).toBe(409);
    expect((await call('POST', `/${message.id}/done`, { words: ' ' })).status).toBe(400);
    for (const words of ['x', 'n/a', 'Nobody was told.'])
      expect((await call('POST', `/${message.id}/done`, { words })).status, words).toBe(422);
    const words = 'Meant for another site.';
    expect((await call('POST', `/${message.id}/done`, { words })).body.code).toBe('message-not-read');
    const reader = { itemId: message.id, accountId: operator.id, at };
    await inTransaction(deps.db, (trx) => insertReading(trx, reader));
    expect((await open()).flatMap(({ read_by }: any) => read_by)).toMatchObject([{ name: 'Olga Operator' }]);
    const done = await call('POST', `/${message.id}/done`, { words });
    expect(done.body).toMatchObject({
      closed_as: 'done',
      closing_words: words,
      closed_by: { id: operator.id },
    });
    expect((await call('POST', `/${message.id}/done`, { words })).status).toBe(404);

    expect((await call('POST', `/${job.id}/retry`, {})).body.closed_as).toBe('retried');
    await collectUnmatched(deps);
    expect(await open()).toEqual([]);
    await giveUp();
    await collectUnmatched(deps);
    expect((await open()).map(({ id }: any) => id)).toEqual([job.id]);
    await call('POST', `/${job.id}/done`, { words: 'Not needed any more.' });
    await collectUnmatched(deps);
    expect([await open(), await listJobs(deps.pool, { key: 'lost' })]).toEqual([[], []]);
    expect((await call('GET', '?open=false')).body.items).toHaveLength(2);
  });

  it('shows a report by the exchange, which has no sender', async () => {
    await storeUnmatchedMessage(deps.db, { id: '20261121-2', type: 'REPORT', from: '', body: '' });
    await collectUnmatched(deps);
    const what =
      'A report by workflow OTHER came from the NHS message exchange. It is about nothing that this site sent, or about what was confirmed, sent another way or erased since.';
    expect(await open()).toEqual(expect.arrayContaining([expect.objectContaining({ what })]));
  });
});
