import { describe, expect, it } from 'vitest';
import { recordAudit } from '../../src/audit/index.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { anAccount, aTokenHolder } from '../app/builders.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

/** Closing a test site searches the log, the database and refusals for its secrets. @returns what it found. */
async function closing(site: TestApp): Promise<string> {
  return site.close().then(
    () => 'nothing found',
    (error: Error) => error.message,
  );
}

describe('the search for secrets when a test site closes', () => {
  it('finds one in the log', async () => {
    const site = await makeApp();
    const { token } = await aTokenHolder(site.deps);
    site.deps.log.info({ url: `/api/token/status?access_token=${token}` }, 'somebody called');
    expect(await closing(site)).toContain('the log holds a secret');
  });

  it('finds one in the database, in any table', async () => {
    const site = await makeApp();
    const { token } = await aTokenHolder(site.deps);
    await inTransaction(site.deps.db, (trx) =>
      recordAudit(trx, {
        at: site.clock.now(),
        actor: { name: 'x' },
        action: 'site.text_changed',
        details: { token },
      }),
    );
    expect(await closing(site)).toContain('the database holds a secret');
  });

  it('finds a password that somebody typed in a refusal', async () => {
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

  it('finds nothing in a test that keeps its secrets', async () => {
    const site = await makeApp();
    const { headers } = await aTokenHolder(site.deps);
    expect((await site.app.inject({ url: '/api/token/status', headers })).statusCode).toBe(200);
    expect(await closing(site)).toBe('nothing found');
  });
});
