import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageVisitor, type Visit } from '../people/page-visitor.ts';
import { readySite } from '../process/ready-site.ts';
import { runCommand } from '../process/run-program.ts';
import type { SiteProcess } from '../process/site-process.ts';

// A newcomer to a site: invited from the command line, in by the link, and in again after forgetting the password.

const email = 'wanda@example.org';

let site: SiteProcess;
beforeAll(async () => {
  site = await readySite();
});
afterAll(() => site.remove());

const invite = (...words: string[]) => runCommand(['account', 'invite', ...words], site.env);

/** Opens the newest email on the outbox, and the link in it. */
async function followNewestMail(operator: ReturnType<typeof pageVisitor>): Promise<string> {
  let mail: Visit | undefined;
  await expect
    .poll(async () => {
      const outbox = await operator.visit('/outbox');
      const href = outbox.page.querySelector('a[href^="/outbox/emails/"]')?.getAttribute('href');
      mail = href === undefined ? undefined : await operator.visit(href);
      return mail?.text ?? '';
    })
    .toContain(email);
  return mail!.page.querySelector('.onward-preserve-lines a')!.getAttribute('href')!;
}

describe('an invited account', () => {
  it('signs in by invitation, and again after a forgotten password', async () => {
    const about = ['--email', 'Wanda@example.org', '--name', 'Wanda Newcomer', '--role', 'referrer'];
    const invited = await invite(...about, '--organisation', 'Infirmary Lane Surgery');
    expect(invited).toMatchObject({ code: 0, stderr: '' });
    expect(invited.stdout).toContain(`${site.baseUrl}/outbox`);
    const operator = pageVisitor(site.baseUrl);
    await operator.signIn(site.logins.operator);
    const link = await followNewestMail(operator);

    const wanda = pageVisitor(site.baseUrl);
    const home = await wanda.submit(await wanda.visit(link), new URL(link).pathname, {
      password: 'walnut bicycle teapot',
    });
    expect(home.html).toContain('Wanda Newcomer');

    const again = await invite('--email', email, '--again');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('It has a password already.');
    expect((await invite(...about, '--organisation', 'Infirmary Lane Surgery')).stderr).toContain('already');
    expect((await invite('--email', email)).code).toBe(2);

    await wanda.submit(home, '/signout', {});
    await wanda.submit(await wanda.visit('/reset-password'), '/reset-password', { email });
    await expect.poll(() => followNewestMail(operator)).toContain('/reset-password/');
    const reset = await followNewestMail(operator);
    const password = 'pigeon ladder harbour';
    await wanda.submit(await wanda.visit(reset), new URL(reset).pathname, { password });
    expect((await wanda.signIn({ email, password })).html).toContain('Wanda Newcomer');
    for (const secret of [link, reset].map((each) => each.split('/').at(-1)!)) {
      expect(site.output().stderr).not.toContain(secret);
      expect(invited.stdout).not.toContain(secret);
    }
  });
});
