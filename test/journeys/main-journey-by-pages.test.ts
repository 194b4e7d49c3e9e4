import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../app/until.ts';
import { pageVisitor, type Visit } from '../people/page-visitor.ts';
import { readySite } from '../process/ready-site.ts';
import type { SiteProcess } from '../process/site-process.ts';

// The journey of main-journey-by-api.test.ts, by pages alone, in a browser without JavaScript: links and forms.

let site: SiteProcess;
beforeAll(async () => {
  site = await readySite();
});
afterAll(() => site.remove());

const form = {
  given_name: 'Edwin',
  family_name: 'Everyman',
  birth_day: '4',
  birth_month: '7',
  birth_year: '1944',
  nhs_number: '999 000 0026',
  address_line_1: '4 Mill Lane',
  postcode: 'zt1 3gh',
  gp_ods_code: 'z99002',
  reasons: 'He has nobody to talk to since he moved here.',
  urgency: 'routine',
  risk: 'no',
  contact_safe: 'yes',
  agreement_basis: 'person',
  share_with_gp: 'yes',
};

describe('the main journey by pages', () => {
  it('lets a link worker find a service, refer and follow it', async () => {
    const referrer = pageVisitor(site.baseUrl);
    expect((await referrer.visit('/referrals')).text).toContain('Sign in');
    expect((await referrer.signIn(site.logins.referrer)).status).toBe(200);

    const found = await referrer.visit('/services?search=befriending');
    const link = found.page
      .querySelectorAll('a')
      .find((each) => each.text.trim() === 'Good Company befriending');
    const service = await referrer.visit(link!.getAttribute('href')!);
    const way = service.page.querySelectorAll('a').find((each) => each.text.trim() === 'Make a referral');
    const empty = await referrer.visit(way!.getAttribute('href')!);

    const wrong = await send(referrer, empty, { ...form, family_name: '', nhs_number: '9434765919' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Enter the person’s last name');
    expect(wrong.text).toContain('NHS number must begin with 999');
    expect(wrong.page.querySelector('#given_name')?.getAttribute('value')).toBe('Edwin');

    const asked = await send(referrer, wrong, form);
    expect(asked.text).toContain('Is this the right person?');
    const made = await referrer.submit(asked, asked.url, {});
    expect(made.url).toMatch(/^\/referrals\/[0-9a-f-]{36}\?done=sent$/);
    const url = made.url.split('?')[0]!;
    expect(made.text).toContain('Edwin Everyman');
    const twice = await send(referrer, wrong, form);
    expect(twice.url).toBe(made.url);

    const provider = pageVisitor(site.baseUrl);
    await provider.signIn(site.logins.provider);
    expect((await provider.visit('/referrals')).text).toContain('Edwin Everyman');
    const received = await provider.visit(url);
    const accepted = await provider.submit(received, `${url}/accept`, {});
    expect(accepted.text).toContain('Accepted');
    const stale = await provider.submit(received, `${url}/accept`, {});
    expect(stale.text).toContain('changed');
    const completing = await provider.visit(`${url}/complete`);
    const outcome = {
      outcome_code: firstOutcome(completing),
      outcome_text: 'He comes every Thursday.',
      gp_needed: 'no',
    };
    const completed = await provider.submit(completing, `${url}/complete`, outcome);
    expect(completed.text).toContain('Completed');

    const letters = await outboxUntil(referrer, 2);
    expect(letters).toHaveLength(2);
    const message = await referrer.visit(letters[0]!);
    const pdf = message.page.querySelector('a[href$="letter.pdf"]')!.getAttribute('href')!;
    const letter = await referrer.download(pdf);
    expect(letter.type).toContain('application/pdf');
    expect(letter.body.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('a form sent after the session ended comes back filled in', async () => {
    const referrer = pageVisitor(site.baseUrl);
    await referrer.signIn(site.logins.referrer);
    const found = await referrer.visit('/services?search=lunch');
    const service = found.page.querySelectorAll('main a[href^="/services/"]')[0]!.getAttribute('href')!;
    const blank = await referrer.visit(`/referrals/new?service=${service.split('/').at(-1)}`);
    referrer.cookies.clear();
    const back = await send(referrer, blank, {
      ...form,
      family_name: 'Latecomer',
      nhs_number: '999 000 0034',
    });
    expect(back.status).toBe(401);
    await referrer.signIn(site.logins.referrer);
    const asked = await referrer.submit(back, '/referrals/new', {});
    const made = await referrer.submit(asked, asked.url, {});
    expect(made.text).toContain('Edwin Latecomer');
  });
});

function send(
  person: ReturnType<typeof pageVisitor>,
  visit: Visit,
  fields: Record<string, string>,
): Promise<Visit> {
  return person.submit(visit, '/referrals/new', fields);
}

function firstOutcome({ page }: Visit): string {
  return page.querySelectorAll('#outcome_code option')[1]!.getAttribute('value')!;
}

async function outboxUntil(person: ReturnType<typeof pageVisitor>, count: number): Promise<string[]> {
  let found: string[] = [];
  await until(async () => {
    const { page } = await person.visit('/outbox');
    const rows = page
      .querySelectorAll('main tbody tr')
      .filter((row) => row.text.includes('Tolbooth Medical Practice'));
    found = rows.map((row) => row.querySelector('a[href^="/outbox/"]')!.getAttribute('href')!);
    return found.length >= count;
  });
  return found;
}
