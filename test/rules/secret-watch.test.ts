import { expect, test } from 'vitest';
import { recordAudit } from '../../src/audit/index.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { anAccount, aTokenHolder } from '../app/builders.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

/** Every test file ends by looking for its secrets where none may be; these see to it that it would find them. */
async function closing(site: TestApp): Promise<string> {
  return site.close().then(
    () => 'nothing found',
    (error: Error) => error.message,
  );
}

test('a secret in the log is found', async () => {
  const site = await makeApp();
  const { token } = await aTokenHolder(site.deps);
  site.deps.log.info({ url: `/api/token/status?access_token=${token}` }, 'somebody called');
  expect(await closing(site)).toContain('the log holds a secret');
});

test('a secret in the database is found, whichever table it is in', async () => {
  const site = await makeApp();
  const { token } = await aTokenHolder(site.deps);
  await inTransaction(site.deps.db, (trx) =>
    recordAudit(trx, { at: site.clock.now(), actor: { name: 'x' }, action: 'x.y', details: { token } }),
  );
  expect(await closing(site)).toContain('the database holds a secret');
});

test('a password that somebody typed is found in a refusal', async () => {
  const site = await makeApp();
  const { email } = await anAccount(site.deps);
  site.deps.pages.send = (_request, reply) => reply.code(422).send('your password was: not the right one');
  const payload = new URLSearchParams({ email, password: 'not the right one' }).toString();
  await site.app.inject({
    method: 'POST',
    url: '/signin',
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8080' },
  });
  expect(await closing(site)).toContain('a refusal holds a secret');
});

test('a test that keeps its secrets finds nothing', async () => {
  const site = await makeApp();
  const { headers } = await aTokenHolder(site.deps);
  expect((await site.app.inject({ url: '/api/token/status', headers })).statusCode).toBe(200);
  expect(await closing(site)).toBe('nothing found');
});
