import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aService } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { setServiceAddress } from '../../../../test/delivery/receivers.ts';
import { markSensitive, storeRemovedNumber } from '../../../../test/library/stored.ts';
import { mailsTo } from '../../../../test/network/mailbox.ts';
import { pageVisitor } from '../../../../test/people/page-visitor.ts';
import { liveEnv } from '../../../../test/process/live-env.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { queueMails, queueText } from '../../../platform/mail/index.ts';

// What a test site would have sent, and who may look at it.

type Visitor = ReturnType<typeof pageVisitor>;

let site: TestApp;
let address: string;
let operator: Visitor;
let asha: Visitor;
let colleague: Visitor;
const ashasAddress = 'Asha@example.org';

beforeAll(async () => {
  site = await makeApp();
  address = await site.app.listen({ port: 0, host: '127.0.0.1' });
  const signedIn = async (given: Parameters<typeof anAccount>[1]) => {
    const visitor = pageVisitor(address, site.deps.settings.baseUrl);
    await visitor.signIn(await anAccount(site.deps, given));
    return visitor;
  };
  operator = await signedIn({ role: 'operator' });
  asha = await signedIn({ email: ashasAddress, name: 'Asha Patel' });
  colleague = await signedIn({});
});
afterAll(() => site.close());

async function captured(to: string, subject: string, text = 'Hello.\n'): Promise<string> {
  await inTransaction(site.deps.db, (trx) => queueMails(trx, site.deps, 'site', [{ to, subject, text }]));
  return (await mailsTo(site, to)).find((mail) => mail.subject === subject)!.id;
}

describe('captured emails', () => {
  it('are all shown to operators, and to others only their own', async () => {
    const id = await captured('asha@example.org', 'Only for Asha');
    for (const path of ['/outbox', '/outbox/emails']) {
      for (const who of [operator, asha]) {
        const page = await who.visit(path);
        expect(page.text, path).toContain('Only for Asha');
        expect(page.html, path).toContain(`href="/outbox/emails/${id}"`);
      }
      expect((await colleague.visit(path)).text, path).not.toContain('Only for Asha');
    }
    expect((await operator.visit(`/outbox/emails/${id}`)).status).toBe(200);
    expect((await asha.visit(`/outbox/emails/${id}`)).status).toBe(200);
  });

  it('name no address of a refuge, except to its own staff', async () => {
    const refuge = await aService(site.deps, { serviceName: 'The refuge' });
    await markSensitive(site.deps.db, refuge.serviceId);
    const organisation = { libraryOrganizationId: refuge.organizationId, name: refuge.organizationName };
    const staff = await anAccount(site.deps, { role: 'provider', email: 'Jo@Refuge.example', organisation });
    const jo = pageVisitor(address, site.deps.settings.baseUrl);
    await jo.signIn(staff);
    const subject = 'New referral: 7K3QF-XW29D';
    const id = await captured(
      'jo@refuge.example',
      subject,
      'Written for jo@refuge.example, about 7K3QF-XW29D.\n',
    );
    for (const path of ['/outbox', '/outbox/emails', `/outbox/emails/${id}`]) {
      const seen = await operator.visit(path);
      expect(seen.text, path).toContain(subject);
      expect(seen.text, path).toContain('A restricted service');
      expect(seen.html, path).not.toMatch(/refuge\.example/i);
      expect((await jo.visit(path)).html, path).toContain('jo@refuge.example');
    }
  });

  it('name no mobile number of a refuge', async () => {
    const refuge = await aService(site.deps, { serviceName: 'Another refuge' });
    await markSensitive(site.deps.db, refuge.serviceId);
    const number = '07700 900999';
    const { serviceId } = refuge;
    await setServiceAddress(site.deps.db, { serviceId, channel: 'code_telephone', address: number });
    const message = { to: number, text: 'Your number is 07700 900999.' };
    await inTransaction(site.deps.db, (trx) => queueText(trx, site.deps, 'site', message));
    const { id } = (await mailsTo(site, number))[0]!;
    for (const path of ['/outbox', '/outbox/emails', `/outbox/emails/${id}`]) {
      const seen = await operator.visit(path);
      expect(seen.text, path).toContain('A restricted service');
      expect(seen.html, path).not.toContain(number);
    }
  });

  it('name no number that a refuge had before', async () => {
    const refuge = await aService(site.deps, { serviceName: 'A third refuge' });
    await markSensitive(site.deps.db, refuge.serviceId);
    const number = '07700 900888';
    await inTransaction(site.deps.db, async (trx) => {
      await storeRemovedNumber(trx, site.deps, refuge.serviceId, number);
      await queueText(trx, site.deps, 'site', { to: number, text: `Your number is ${number}.` });
    });
    const { id } = (await mailsTo(site, number))[0]!;
    for (const path of ['/outbox', `/outbox/emails/${id}`]) {
      const seen = await operator.visit(path);
      expect(seen.text, path).toContain('A restricted service');
      expect(seen.html, path).not.toContain(number);
    }
  });

  it('do not exist for the caller if they are to somebody else', async () => {
    const id = await captured(ashasAddress, 'A key');
    const [others, none, nonsense] = await Promise.all(
      [id, newId(), 'nonsense'].map((each) => colleague.visit(`/outbox/emails/${each}`)),
    );
    const withoutReference = (html: string) => html.replaceAll(/this reference: \S+</g, '');
    for (const page of [others, none, nonsense]) {
      expect(page!.status).toBe(404);
      expect(withoutReference(page!.html)).toBe(withoutReference(others!.html));
    }
  });

  it('are shown as sent, with links only to this site', async () => {
    const link = `${site.deps.settings.baseUrl}/signin`;
    const text = `Hello <b>Asha</b>,\n\nopen ${link}\nand not https://evil.example/signin`;
    const id = await captured(ashasAddress, 'With <i>links</i>', text);
    const { page, html } = await asha.visit(`/outbox/emails/${id}`);
    expect(page.querySelector('.onward-preserve-lines')!.text).toBe(text);
    expect(html).toContain(`<a href="${link}">${link}</a>`);
    expect(html).not.toContain('href="https://evil.example');
    expect(html).not.toMatch(/<b>Asha|<i>links/);
  });

  it('are audited when read, but not when listed', async () => {
    const id = await captured(ashasAddress, 'Read me');
    const readers = async () =>
      (await storedEntries(site.deps.db, { action: 'captured_mail.read', subjectId: id })).map(
        ({ actor_name }) => actor_name,
      );
    await asha.visit('/outbox/emails');
    await colleague.visit(`/outbox/emails/${id}`);
    expect(await readers()).toEqual([]);
    await asha.visit(`/outbox/emails/${id}`);
    expect(await readers()).toEqual(['Asha Patel']);
  });

  it('have pages of 25, and the outbox shows the newest five', async () => {
    for (let made = 0; made < 27; made += 1)
      await inTransaction(site.deps.db, (trx) =>
        queueMails(trx, site.deps, 'site', [{ to: 'many@example.org', subject: `Number ${made}`, text: '' }]),
      );
    await mailsTo(site, 'many@example.org');
    const subjects = (html: string) => [...html.matchAll(/>Number (\d+)</g)].map((match) => Number(match[1]));
    expect(subjects((await operator.visit('/outbox')).html)).toHaveLength(5);
    const first = await operator.visit('/outbox/emails');
    expect(subjects(first.html)).toHaveLength(25);
    const older = first.page.querySelector('a[rel=next]')!.getAttribute('href')!;
    const second = subjects((await operator.visit(older)).html);
    expect(second).toHaveLength(2);
    expect(new Set([...subjects(first.html), ...second]).size).toBe(27);
    expect((await operator.visit('/outbox/emails?before=nonsense')).status).toBe(400);
  });

  it('have no pages on a live site', async () => {
    const live = await makeApp({ env: liveEnv });
    try {
      for (const url of ['/outbox', '/outbox/emails', `/outbox/emails/${newId()}`])
        expect((await live.app.inject(url)).statusCode).toBe(404);
    } finally {
      await live.close();
    }
  });
});
