import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aService } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { listReturnAddresses } from '../../tokens/index.ts';

let site: TestApp;
let developer: Awaited<ReturnType<typeof signedInBrowser>>;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  developer = await signedInBrowser(site, { organisation: { name: 'Infirmary Lane Surgery' } });
  operator = await signedInBrowser(site, { role: 'operator' });
});
afterAll(() => site.close());

const own = '/apikeys/requests';
const all = '/operator/developer-requests';

/** Where the buttons of the operator's page lead. */
async function formsOf(browser = operator): Promise<string[]> {
  const { page } = await browser.open(all);
  return page
    .querySelectorAll('main form, main [formaction]')
    .map((each) => (each.getAttribute('action') ?? each.getAttribute('formaction'))!);
}

async function answer(what: 'grant' | 'decline'): Promise<void> {
  const form = (await formsOf()).find((each) => each.endsWith(`/${what}`))!;
  const sent = await operator.send(form, {});
  expect(sent.location).toBe(`${all}?done=${what === 'grant' ? 'granted' : 'declined'}`);
}

const askForAddress = (address: string, reason = 'Our practice system') =>
  developer.send(`${own}/return-address`, { address, reason });

describe('a return address that a developer asks for', () => {
  it('is registered when an operator grants it, and both are told', async () => {
    expect((await askForAddress('https://client.example/back')).location).toBe(`${own}?done=asked`);
    expect((await mailsTo(site, operator.email))[0]!.text).toContain(`/operator/developer-requests`);
    expect((await operator.open('/operator')).text).toContain('Developer requests 1 to answer');
    const { text } = await operator.open(all);
    for (const shown of ['https://client.example/back', 'Our practice system', 'Infirmary Lane Surgery'])
      expect(text).toContain(shown);
    await answer('grant');
    expect((await listReturnAddresses(site.deps.db)).map(({ address }) => address)).toEqual([
      'https://client.example/back',
    ]);
    expect((await developer.open(own)).text).toMatch(/client\.example\/back\s*Granted/);
    expect((await mailsTo(site, developer.email))[0]!.subject).toContain('Your request was granted');
    const granted = await storedEntries(site.deps.db, { action: 'developer_request.granted' });
    expect(granted).toHaveLength(1);
    expect((await operator.open(all)).text).toContain('No request is waiting');
  });

  it('is granted again without its port if it is registered', async () => {
    for (let time = 0; time < 2; time += 1) {
      await askForAddress('http://localhost:3000/back');
      await answer('grant');
    }
    const addresses = (await listReturnAddresses(site.deps.db)).map(({ address }) => address);
    expect(addresses.filter((each) => each === 'http://localhost/back')).toHaveLength(1);
  });

  it('is not registered when it is declined, and is answered once', async () => {
    await askForAddress('https://other.example/back');
    const [grant, decline] = await formsOf();
    await operator.send(decline!, {});
    expect((await operator.send(grant!, {})).location).toBe(all);
    expect((await developer.open(own)).text).toMatch(/other\.example\/back\s*Declined/);
    expect((await listReturnAddresses(site.deps.db)).map(({ address }) => address)).not.toContain(
      'https://other.example/back',
    );
  });

  it.each([
    ['https://client.example/back?x=1', 'Ours', 'must have no query'],
    ['https://client.example/back', ' ', 'Say what it is for'],
    ['https://client.example/back', 'x'.repeat(501), 'at most 500 characters'],
  ])('is refused in words: %s', async (address, reason, words) => {
    const { status, text, page } = await askForAddress(address, reason);
    expect([status, text]).toEqual([422, expect.stringContaining(words)]);
    expect(page.querySelector('#address')!.getAttribute('value')).toBe(address);
  });

  it('is one of ten that wait at most', async () => {
    for (let count = 0; count < 10; count += 1) await askForAddress(`https://client.example/${count}`);
    const { status, text } = await askForAddress('https://client.example/10');
    expect([status, text]).toEqual([422, expect.stringContaining('You have 10 requests')]);
    for (let count = 0; count < 10; count += 1) await answer('decline');
  });
});

describe('a second test account', () => {
  const ask = (values: Record<string, string>) =>
    developer.send(`${own}/account`, {
      name: 'Test Colleague',
      email: 'colleague@vendor.example',
      role: 'referrer',
      organisation: '',
      reason: 'To try messages',
      ...values,
    });

  it('joins the same organisation once granted, with a password', async () => {
    expect((await ask({})).location).toBe(`${own}?done=asked`);
    expect((await operator.open(all)).text).toContain('Refers people, Infirmary Lane Surgery');
    await answer('grant');
    const { page } = await developer.open(own);
    const form = page.querySelector('main form')!.getAttribute('action')!;
    const { location } = await developer.send(form, {});
    expect(location).toMatch(/\/invitation\//);
    // Nobody else gets the link.
    const stranger = await signedInBrowser(site, { organisation: { name: 'Infirmary Lane Surgery' } });
    expect((await stranger.send(form, {})).status).toBe(404);
    const chosen = await stranger.send(new URL(location!).pathname, { password: 'a long enough password' });
    expect(chosen.status).toBe(303);
    stranger.headers.cookie = String(chosen.cookie).split(';')[0]!;
    const account = await stranger.open('/account');
    expect(account.text).toContain('colleague@vendor.example');
    expect((await stranger.open('/apikeys')).page.querySelector('#access-token')).not.toBeNull();
    expect((await developer.send(form, {})).status).toBe(409);
  });

  it('is made once, of two operators who grant it at once', async () => {
    await ask({ email: 'twice@vendor.example' });
    const grantedBefore = (await storedEntries(site.deps.db, { action: 'developer_request.granted' })).length;
    const form = (await formsOf()).find((each) => each.endsWith('/grant'))!;
    const sent = await Promise.all([operator.send(form, {}), operator.send(form, {})]);
    expect(sent.map(({ location }) => location).sort()).toEqual([all, `${all}?done=granted`]);
    expect(await storedEntries(site.deps.db, { action: 'developer_request.granted' })).toHaveLength(
      grantedBefore + 1,
    );
  });

  it('may be for staff of a service', async () => {
    const { organizationName } = await aService(site.deps);
    await ask({ email: 'staff@vendor.example', role: 'provider', organisation: organizationName });
    expect((await operator.open(all)).text).toContain(`Staff of a service, ${organizationName}`);
    await answer('grant');
    expect((await operator.open('/operator/accounts?q=staff%40vendor.example')).text).toContain(
      organizationName,
    );
  });

  it('is not made with the email address of somebody else', async () => {
    const { email } = await anAccount(site.deps);
    await ask({ email });
    const grant = (await formsOf()).find((each) => each.endsWith('/grant'))!;
    expect((await operator.send(grant, {})).status).toBe(409);
    await answer('decline');
  });

  it.each([
    [{ email: 'nobody' }, 'Enter an email address'],
    [{ role: 'operator' }, 'Choose what the account is for'],
    [{ role: 'provider', organisation: 'No such trust' }, 'no organisation with exactly this name'],
  ])('is refused in words: %j', async (values, words) => {
    const { status, text } = await ask(values as Record<string, string>);
    expect([status, text]).toEqual([422, expect.stringContaining(words)]);
  });

  it('is for test sites alone', async () => {
    const live = await makeApp({ env: liveEnv });
    const browser = await signedInBrowser(live);
    expect((await browser.open(`${own}/account`)).status).toBe(404);
    expect((await browser.open(own)).text).not.toContain('second test account');
    expect((await browser.open(`${own}/return-address`)).status).toBe(200);
    await live.close();
  });
});

it('the requests of developers are not for developers', async () => {
  expect((await developer.open(all)).status).toBe(403);
});
