import { expect } from 'vitest';
import { apiClient, copyKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { nhsNumber, type rehearsalFixture } from './fixture.ts';
import { nextMail } from './mails.ts';

type Fixture = Awaited<ReturnType<typeof rehearsalFixture>>;
export type Person = Awaited<ReturnType<typeof signedIn>>;

export const password = 'correct horse battery staple';

export const patient = {
  nhs_number: nhsNumber,
  given_name: 'Grace',
  family_name: 'Okonkwo',
  birth_date: '1947-03-09',
  address: { lines: ['4 Mill Lane', 'Sarrowby'], postcode: 'ZT1 3GH' },
};

/** Somebody with a browser, and with a client system that has their key. */
export async function signedIn({ url }: Pick<Fixture, 'url'>, email: string) {
  const person = pageVisitor(url);
  expect((await person.signIn({ email, password })).status).toBe(200);
  return { ...person, api: apiClient(url, (await copyKeys(person)).access) };
}

/** Somebody whom an operator invites, and who follows the link in the email. */
export async function invited(
  fixture: Fixture,
  operator: Person,
  given: { name: string; email: string; role: string; organisation: string },
): Promise<Person> {
  const path = '/operator/accounts/new';
  const { role, ...form } = given;
  const invitation = { ...form, roles: [role], api_access: 'on' };
  const create = { organisation_offered_for: given.organisation, organisation_choice: 'new' };
  const isNew = given.role === 'referrer';
  const sent = { ...invitation, ...(isNew && create) };
  expect((await operator.submit(await operator.visit(path), path, sent)).status).toBe(200);
  const { path: link, secure } = await nextMail(fixture.mail, given.email);
  expect(secure).toBe(true);
  const newcomer = pageVisitor(fixture.url);
  await newcomer.submit(await newcomer.visit(link), link, { password });
  return signedIn(fixture, given.email);
}

/** As a link worker does it: a service is found, and referred to by a form. @returns the referral's id. */
export async function referByPage(worker: Person, words: string, practice: string): Promise<string> {
  const found = await worker.visit(`/services?search=${words}`);
  const follow = (page: typeof found, link: string) =>
    worker.visit(page.page.querySelector(`main a[href^="${link}"]`)!.getAttribute('href')!);
  const form = await follow(await follow(found, '/services/'), '/referrals/new');
  const asked = await worker.submit(form, '/referrals/new', {
    given_name: patient.given_name,
    family_name: patient.family_name,
    birth_day: '9',
    birth_month: '3',
    birth_year: '1947',
    nhs_number: nhsNumber,
    address_line_1: '4 Mill Lane',
    postcode: 'ZT1 3GH',
    gp_ods_code: practice,
    reasons: 'She is lonely since her husband died.',
    urgency: 'routine',
    risk: 'no',
    contact_safe: 'yes',
    agreement_basis: 'person',
    share_with_gp: 'yes',
  });
  const made = await worker.submit(asked, asked.url, {});
  return new URL(made.url, 'http://site').pathname.split('/').at(-1)!;
}

/** As a service's own system does it. */
export async function acceptAndComplete(answerer: Person, id: string): Promise<void> {
  const outcome = { outcome: { code: 'goals-met', text: 'She comes every Thursday.' } };
  const steps = [
    ['accept', {}],
    ['complete', outcome],
  ] as const;
  for (const [action, body] of steps) {
    const version = (await answerer.api.get(`/api/referrals/${id}`)).headers.get('etag')!;
    const answer = await answerer.api.post(`/api/referrals/${id}/${action}`, body, { 'if-match': version });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
}
