import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { refreshTokenOf } from '../../../test/app/keys.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { liveEnv } from '../../../test/process/live-env.ts';

let site: TestApp;
let developer: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  developer = await signedInBrowser(site);
});
afterAll(() => site.close());

const path = '/apikeys/troubles';

async function accessToken(): Promise<string> {
  const refreshToken = await refreshTokenOf(site.deps, developer.id);
  const answer = await site.app.inject({
    method: 'POST',
    url: '/api/token/refresh',
    payload: { refreshToken },
  });
  return answer.json().access_token;
}
const status = (token: string) =>
  site.app.inject({ url: '/api/token/status', headers: { authorization: `Bearer ${token}` } });

describe('the page of failures', () => {
  it('plays one on the developer’s own calls, shows and clears it', async () => {
    expect((await developer.open('/apikeys')).page.querySelector(`a[href="${path}"]`)).toBeTruthy();
    const token = await accessToken();
    const added = await developer.send(path, {
      kind: 'too-many-requests',
      operation_id: 'getTokenStatus',
      calls: '2',
      retry_after: '7',
    });
    expect(added.location).toBe(`${path}?done=added`);
    expect((await developer.open(path)).text).toContain('played on 0 of 2 calls, 7 seconds');
    const other = await aTokenHolder(site.deps);
    expect((await status(other.token)).statusCode).toBe(200);
    await expect.poll(async () => (await status(token)).statusCode).toBe(429);
    expect((await developer.open(path)).text).toContain('played on 1 of 2 calls');
    const cleared = await developer.send(`${path}/clear`, {});
    expect(cleared.location).toBe(`${path}?done=cleared`);
    expect((await status(token)).statusCode).toBe(200);
    expect((await developer.open(path)).text).toContain('None.');
    const entries = await storedEntries(site.deps.db, { actorId: developer.id });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['simulator.trouble_added', 'simulator.troubles_cleared']),
    );
  });

  it('says what is wrong, and keeps what was chosen', async () => {
    const errorsOf = async (form: Record<string, string>) => {
      const answer = await developer.send(path, form);
      expect(answer.status).toBe(422);
      const links = answer.page.querySelectorAll('.nhsuk-error-summary a');
      return { answer, links: links.map((link) => link.getAttribute('href')) };
    };
    expect((await errorsOf({ calls: '0', retry_after: '61' })).links).toEqual([
      '#kind',
      '#calls',
      '#retry_after',
    ]);
    const pause = await errorsOf({ kind: 'lose-answer', operation_id: 'createReferral', retry_after: '5' });
    expect(pause.links).toEqual(['#retry_after']);
    expect(pause.answer.page.querySelector('input[value="lose-answer"]')?.hasAttribute('checked')).toBe(true);
    const selected = pause.answer.page.querySelector('option[selected]');
    expect(selected?.getAttribute('value')).toBe('createReferral');
    expect((await errorsOf({ kind: 'expire-token', operation_id: 'refreshToken' })).links).toEqual([
      '#operation_id',
    ]);
    expect((await errorsOf({ kind: 'slow', operation_id: 'nothing' })).links).toEqual(['#operation_id']);
  });

  it('moves the time of the developer’s tokens on', async () => {
    const token = await accessToken();
    expect((await status(token)).statusCode).toBe(200);
    const moved = await developer.send(`${path}/move-on`, { by: 'day' });
    expect(moved.location).toBe(`${path}?done=moved`);
    await expect.poll(async () => (await status(token)).statusCode).toBe(401);
  });

  it('is for people with API access, on a test site', async () => {
    const without = await signedInBrowser(site, { hasApiAccess: false });
    expect((await without.open(path)).location).toBe('/apikeys');
    expect((await without.send(path, { kind: 'slow', calls: '1' })).location).toBe('/apikeys');
    const live = await makeApp({ env: liveEnv });
    const person = await signedInBrowser(live);
    expect((await person.open(path)).status).toBe(404);
    await live.close();
  });
});
