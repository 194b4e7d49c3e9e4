import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { commandInput } from '../../../test/process/command-input.ts';
import {
  returnAddressAdd,
  returnAddressList,
  returnAddressRemove,
} from '../../cli/commands/return-url/return-addresses.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const path = '/operator/return-addresses';
const address = 'https://desk.example/back';

async function operator() {
  const { email } = await anAccount(site.deps, { role: 'operator', name: 'Olive Operator' });
  const browser = plainBrowser(site.app);
  await browser.signIn(email);
  return browser;
}

async function auditOf(id: string): Promise<unknown[]> {
  const entries = await storedEntries(site.deps.db, { subjectId: id });
  return entries.map((entry) => ({ action: entry.action, who: entry.actor_name }));
}

describe('the return addresses page', () => {
  it('adds, lists and removes an address', async () => {
    const browser = await operator();
    expect((await browser.get(path)).body).toContain('No return address is registered yet');
    expect((await browser.post(path, { address: ` ${address} ` })).headers.location).toBe(
      `${path}?done=added`,
    );
    const listed = await browser.get(path);
    expect(listed.body).toContain(address);
    expect(listed.body).toContain('Olive Operator');
    const link = /href="(\/operator\/return-addresses\/remove[^"]*)"/.exec(listed.body)![1]!;
    const question = await browser.get(link.replaceAll('&amp;', '&'));
    expect(question.body).toContain('Remove this return address?');
    expect(question.body).toContain('3 hours');
    expect((await browser.post(`${path}/remove`, { address })).headers.location).toBe(`${path}?done=removed`);
    expect((await browser.get(path)).body).not.toContain(address);
    expect((await browser.post(`${path}/remove`, { address })).statusCode, 'twice').toBe(404);
    expect((await browser.get(link)).headers.location, 'a link left open').toBe(path);
    expect(await auditOf(address)).toEqual([
      { action: 'return_address.registered', who: 'Olive Operator' },
      { action: 'return_address.removed', who: 'Olive Operator' },
    ]);
  });

  it('allows localhost for everybody in one click, and ends it', async () => {
    const browser = await operator();
    expect((await browser.post(`${path}/localhost`, { allow: 'yes' })).headers.location).toBe(
      `${path}?done=allowed`,
    );
    expect((await browser.get(path)).body).toMatch(/Olive Operator allowed it on/);
    await browser.post(`${path}/localhost`, { allow: 'no' });
    expect((await browser.get(path)).body).toContain('Allow localhost for everybody');
    expect((await browser.post(`${path}/localhost`, { allow: 'perhaps' })).statusCode).toBe(400);
  });

  it('shows a refused address again with the reason', async () => {
    const browser = await operator();
    const refused: [string, string][] = [
      ['', 'must have 1 to 2000 characters'],
      ['client.example', 'must be of the form https://host/path'],
      ['https://client.example/?x=1', 'must have no query'],
      ['https://client.example:443/', 'must be written as a browser writes it'],
      ['https://client.example/<b>', 'must be plain ASCII'],
      [`https://client.example/${'x'.repeat(2000)}`, 'must have 1 to 2000 characters'],
    ];
    for (const [given, reason] of refused) {
      const answer = await browser.post(path, { address: given });
      expect(answer.statusCode, given).toBe(422);
      expect(answer.body, given).toContain(`The address ${reason}`);
      expect(answer.body, given).toContain('There is a problem');
      expect(answer.body).not.toContain('<b>');
    }
    const twice = await Promise.all(
      [1, 2, 3].map(() => browser.post(path, { address: 'https://twice.example/' })),
    );
    expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422, 422]);
    expect(await auditOf('https://twice.example/')).toHaveLength(1);
    expect((await browser.post(path, { other: 'x' })).statusCode).toBe(400);
    const endless = await browser.post(path, { address: 'x'.repeat(3000) });
    expect(endless.statusCode).toBe(400);
    expect(endless.body, 'words for people').toContain('address must have at most 2500 characters');
    expect(endless.body).not.toMatch(/the API expects|`errors`/);
  });

  it('is only for operators', async () => {
    const { email } = await anAccount(site.deps);
    const browser = plainBrowser(site.app);
    await browser.signIn(email);
    expect((await browser.get(path)).statusCode).toBe(403);
    expect((await browser.post(path, { address: 'https://other.example/' })).statusCode).toBe(403);
    expect((await browser.post(`${path}/remove`, { address })).statusCode).toBe(403);
  });

  it('has the same rules as the command line', async () => {
    const open = { platform: site.deps } as never;
    const run = (command: typeof returnAddressAdd, ...positionals: string[]) =>
      command.run(open, commandInput(positionals));
    const given = 'http://localhost:3000/cb';
    const registered = 'http://localhost/cb';
    expect(await run(returnAddressAdd, given)).toMatchObject({
      json: { address: registered, registered: true },
    });
    await expect(run(returnAddressAdd, 'http://localhost:4000/cb')).rejects.toMatchObject({
      errors: [{ message: 'is registered already' }],
    });
    const { text, json } = await run(returnAddressList);
    expect(text).toContain(`${registered}  added 2026-11-21T09:30:00.000Z by command line`);
    expect(json).toContainEqual({
      address: registered,
      added_at: '2026-11-21T09:30:00.000Z',
      added_by: 'command line',
    });
    expect(await run(returnAddressRemove, given)).toMatchObject({
      json: { address: registered, registered: false },
    });
    for (const unknown of [given, 'nothing', '', '\0'])
      await expect(run(returnAddressRemove, unknown)).rejects.toMatchObject({ kind: { type: 'not-found' } });
    expect(await auditOf(registered)).toEqual([
      { action: 'return_address.registered', who: 'command line' },
      { action: 'return_address.removed', who: 'command line' },
    ]);
  });
});
