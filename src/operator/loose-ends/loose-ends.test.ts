import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { aTokenHolder } from '../../../test/builders.ts';
import { makeApp } from '../../../test/make-app.ts';
import { tendLooseEnds } from './tend-loose-ends.ts';

const { app, deps, close } = await makeApp();
afterAll(close);
const operator = await aTokenHolder(deps, { role: 'operator', name: 'Olga Operator' });
const referrer = await aTokenHolder(deps);

async function call(method: 'GET' | 'POST', path: string, payload?: object, who = operator) {
  const url = `/api/loose-ends${path}`;
  const answer = await app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const open = async () => (await call('GET', '')).body.items;
const giveUp = () =>
  sql`update graphile_worker._private_jobs set attempts = max_attempts where key = 'lost'`.execute(deps.db);

test('a message that nobody can explain and a job that was given up have an owner, and an end', async () => {
  await sql`
    insert into mesh_messages (id, type, workflow, headers, body, received_at, taken_at, understood)
    values ('20261121-1', 'DATA', 'OTHER', '{"mex-from": "X26OT9"}', 'hello', now(), now(), false)`.execute(
    deps.db,
  );
  await sql`select graphile_worker.add_job('poll-channels', job_key => 'lost', run_at => now() + interval '1 day')`.execute(
    deps.db,
  );
  await giveUp();
  await tendLooseEnds(deps);
  await tendLooseEnds(deps);
  const [message, job] = (await open()).sort((a: any, b: any) => b.kind.localeCompare(a.kind));
  expect(message).toMatchObject({ kind: 'unexplained-message', what: expect.stringContaining('X26OT9') });
  expect(job).toMatchObject({ kind: 'given-up-job', what: expect.stringContaining('poll-channels') });
  expect([message.owner.name, job.owner.name]).toEqual(['Olga Operator', 'Olga Operator']);
  const { rows } = await sql`select from mails`.execute(deps.db);
  expect(rows).toHaveLength(1);
  expect((await call('GET', '', undefined, referrer)).status).toBe(403);

  expect((await call('POST', `/${message.id}/retry`, {})).status).toBe(409);
  expect((await call('POST', `/${message.id}/done`, { words: ' ' })).status).toBe(400);
  const words = 'Meant for another site.';
  const done = await call('POST', `/${message.id}/done`, { words });
  expect(done.body).toMatchObject({
    closed_as: 'done',
    closing_words: words,
    closed_by: { id: operator.id },
  });
  expect((await call('POST', `/${message.id}/done`, { words })).status).toBe(404);

  expect((await call('POST', `/${job.id}/retry`, {})).body.closed_as).toBe('retried');
  await tendLooseEnds(deps);
  expect(await open()).toEqual([]);
  await giveUp();
  await tendLooseEnds(deps);
  expect((await open()).map(({ id }: any) => id)).toEqual([job.id]);
  await call('POST', `/${job.id}/done`, { words: 'Not needed any more.' });
  await tendLooseEnds(deps);
  expect([
    await open(),
    (await sql`select from graphile_worker.jobs where key = 'lost'`.execute(deps.db)).rows,
  ]).toEqual([[], []]);
  expect((await call('GET', '?open=false')).body.items).toHaveLength(2);
});

test('a report by the exchange itself has no sender, and may be about what went another way since', async () => {
  await sql`
    insert into mesh_messages (id, type, workflow, headers, body, received_at, taken_at, understood)
    values ('20261121-2', 'REPORT', 'OTHER', '{"mex-from": ""}', '', now(), now(), false)`.execute(deps.db);
  await tendLooseEnds(deps);
  const what =
    'A report by workflow OTHER came from the NHS message exchange. It is about nothing that this site sent, or about what was confirmed, sent another way or erased since.';
  expect(await open()).toEqual(expect.arrayContaining([expect.objectContaining({ what })]));
});
