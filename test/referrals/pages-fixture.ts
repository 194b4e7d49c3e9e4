import { parse } from 'node-html-parser';
import { afterAll, expect } from 'vitest';
import { anAccount, aPractice, aService } from '../app/builders.ts';
import { makeApp } from '../app/make-app.ts';

export type Form = Record<string, string>;
export type Browser = Awaited<ReturnType<typeof referralPagesFixture>>['referrer'];

/** Where somebody may come to harm, the page that asks whether it is the right person asks about the urgency, too. */
export function answersOfUrgency(page: ReturnType<typeof parse>): Form {
  if (page.querySelector('[name=urgency_decision]') === null) return {};
  return { urgency_decision: 'routine', routine_reason: 'The crisis team saw her today.' };
}

/** For the pages of referrals: a site with a service, a referrer and a provider with their browsers, and their forms. */
export async function referralPagesFixture() {
  const site = await makeApp();
  afterAll(() => site.close());
  const place = await aService(site.deps);
  await aPractice(site.deps);

  /** Somebody signed in, who opens pages and sends forms as a browser does. */
  async function browser(given: Parameters<typeof anAccount>[1]) {
    const { email, password } = await anAccount(site.deps, given);
    const headers: Record<string, string> = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    };
    const request = async (url: string, form?: Form) => {
      const method = form ? 'POST' : 'GET';
      const payload = form && new URLSearchParams(form).toString();
      const answer = await site.app.inject({
        method,
        url,
        headers,
        ...(payload !== undefined && { payload }),
      });
      const page = parse(answer.body);
      const text = page.querySelector('main')?.structuredText ?? '';
      expect(text, url).not.toMatch(/\b(undefined|NaN)\b|\[object|<\/?(p|a|span|li|strong)\b/);
      return {
        status: answer.statusCode,
        location: String(answer.headers.location),
        headers: answer.headers,
        page,
        text,
      };
    };
    /** A test that says that it is the right person answers the page that asks, where the form leads there. */
    const send = async (url: string, { right_person, ...form }: Form) => {
      const answer = await request(url, form);
      if (right_person !== 'yes' || !answer.location.endsWith('/check')) return answer;
      const { page } = await request(answer.location);
      const version = page.querySelector('[name=version]')?.getAttribute('value') ?? '';
      return request(answer.location, { version, ...answersOfUrgency(page) });
    };
    const { headers: answered } = await request('/signin', { email, password });
    headers.cookie = String(answered['set-cookie']).split(';')[0]!;
    return { open: (url: string) => request(url), send, cookie: headers.cookie };
  }

  const referrer = await browser({ role: 'referrer', organisation: { name: 'Infirmary Lane Surgery' } });
  const provider = await browser({
    role: 'provider',
    organisation: { libraryOrganizationId: place.organizationId, name: place.organizationName },
  });

  let people = 0;
  function aPerson(): Form {
    people += 1;
    return {
      given_name: 'Margaret',
      family_name: `Example ${people}`,
      birth_day: '9',
      birth_month: '3',
      birth_year: '1947',
      address_line_1: '4 Mill Lane',
      postcode: 'ZT1 3GH',
      gp_ods_code: 'Z99001',
      reasons: 'She is lonely.',
      urgency: 'routine',
      risk: 'no',
      contact_safe: 'yes',
      right_person: 'yes',
      agreement_basis: 'person',
      share_with_gp: 'yes',
    };
  }

  const newestName = () => `Example ${people}`;

  /** The form of a page that was opened, with its hidden fields. */
  async function anOpenForm(who = referrer): Promise<Form> {
    const { page } = await who.open(`/referrals/new?service=${place.serviceId}`);
    const hidden = page.querySelectorAll('main form input[type=hidden]');
    return Object.fromEntries(
      hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]),
    ) as Form;
  }

  /** What the page of a correction sends if nobody changes a field. */
  async function filledCorrection(who: typeof referrer, url: string): Promise<Form> {
    const { page } = await who.open(`${url}/correct`);
    const typed = page.querySelectorAll('main form input, main form textarea').flatMap((field) => {
      const name = field.getAttribute('name');
      const isChoice = ['radio', 'checkbox'].includes(field.getAttribute('type') ?? '');
      if (name === undefined || (isChoice && !field.hasAttribute('checked'))) return [];
      return [[name, field.getAttribute('value') ?? field.text.trim()]];
    });
    return Object.fromEntries(typed);
  }

  const withoutQuery = (location: string) => location.split('?')[0]!;

  async function aReferralPage(given: Form = {}): Promise<string> {
    const typed = { ...(await anOpenForm()), ...aPerson(), ...given };
    const { location } = await referrer.send('/referrals/new', typed);
    return withoutQuery(location);
  }

  return {
    site,
    place,
    browser,
    referrer,
    provider,
    aPerson,
    anOpenForm,
    filledCorrection,
    withoutQuery,
    aReferralPage,
    newestName,
  };
}
