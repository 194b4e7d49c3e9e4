import { afterAll, describe, expect, it } from 'vitest';
import { answerFixture } from '../../../test/delivery/answer-fixture.ts';
import { confirmCheck } from '../../../test/delivery/restore-check.ts';
import { storedMails } from '../../../test/mail/stored.ts';
import { sendQueuedMails } from '../../../test/people/mail-fixture.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { personPageFixture } from '../../../test/referrals/person-page-fixture.ts';
import type { AppDeps } from '../../app.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { beginRestoreCheck } from '../../platform/restore-check/index.ts';

const life = await personPageFixture();
const byLink = await answerFixture();
afterAll(() => byLink.site.close());

const restore = ({ db, clock }: Pick<AppDeps, 'db' | 'clock'>) =>
  inTransaction(db, (trx) => beginRestoreCheck(trx, { backupMadeAt: clock.now(), at: clock.now() }));

describe('while a restored site is being checked', () => {
  it('persons’ pages are shut, and a guessed link looks the same', async () => {
    const { site } = life;
    const { path, email } = await life.referWithPage();
    const telephone = life.telephone();
    expect((await telephone.open(path)).status).toBe(200);
    await restore(site.deps);
    const shut = await telephone.open(path);
    expect([shut.status, shut.headers['retry-after']]).toEqual([503, '3600']);
    expect(shut.text).toContain('ring the person who told you about this page');
    expect((await telephone.open(`/my/${'A'.repeat(43)}`)).text).toBe(shut.text);
    const before = (await storedMails(site.deps.db)).length;
    for (const step of ['code', 'open', 'helped', 'stop'])
      expect((await telephone.send(path, { step, code: '123456' })).status).toBe(503);
    expect((await storedMails(site.deps.db)).length).toBe(before);
    expect((await telephone.send(path, { step: 'leave' })).status).toBe(200);

    // A person whose page was ended again meanwhile gets no message, another one does.
    const kept = await life.post(life.referrer, '', life.ticked());
    const ended = await life.post(life.referrer, '', life.ticked());
    expect([kept.status, ended.status]).toEqual([201, 201]);
    await life.post(life.referrer, `/${(ended.body as { id: string }).id}/person-page/end`, {
      asked_by_person: true,
    });
    const operator = await signedInBrowser(site, { role: 'operator' });
    expect((await confirmCheck(operator)).status).toBe(303);
    await sendQueuedMails(site.deps);
    const [keptEmail, endedEmail] = [2, 3].map((number) => `person${number}@example.org`) as [string, string];
    expect([(await life.mails(keptEmail)).length, (await life.mails(endedEmail)).length]).toEqual([1, 0]);
    expect((await telephone.open(path)).status).toBe(200);
    expect(email).toBe('person1@example.org');
  });

  it('nothing is read or answered by a link', async () => {
    const { site } = byLink;
    const { id } = await byLink.refer();
    const path = (await byLink.linkOf(id))!;
    const open = (method: 'GET' | 'POST') =>
      site.app.inject({
        method,
        url: `${path}?do=accept`,
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' && { payload: 'name=Cara&role=Volunteer' }),
      });
    expect((await open('GET')).statusCode).toBe(200);
    await restore(site.deps);
    for (const method of ['GET', 'POST'] as const) {
      const shut = await open(method);
      expect(shut.statusCode).toBe(503);
      expect(shut.body).toContain('ring the person who made it');
    }
    const file = await site.app.inject({ url: `${path}/file` });
    expect([file.statusCode, file.headers.location]).toEqual([303, `${path}?do=file`]);
    const operator = await signedInBrowser(site, { role: 'operator' });
    await confirmCheck(operator);
    expect((await open('GET')).statusCode).toBe(200);
  });
});
