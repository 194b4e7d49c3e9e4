import { parse } from 'node-html-parser';
import { mailsTo } from '../network/mailbox.ts';
import { referralLifeFixture } from './life-fixture.ts';

/**
 * The life of a referral whose person may safely be sent emails, or texts, and their telephone, which has cookies and no account.
 */
export async function personPageFixture({ by = 'email' }: { by?: 'email' | 'text' } = {}) {
  const life = await referralLifeFixture();
  const { site, aPerson, place, post, referrer } = life;
  const { app } = site;
  let count = 0;

  /** A new referral with the tick, of a person with an address and a number of their own. */
  function ticked(given: { patient?: object; [field: string]: unknown } = {}) {
    count += 1;
    const { patient, ...rest } = given;
    const person = aPerson(place.serviceId);
    return {
      ...person,
      patient: {
        ...person.patient,
        email: `person${count}@example.org`,
        telephone: `07700 9${String(count).padStart(5, '0')}`,
        ...patient,
      },
      contact: { safe: 'yes', channel: by },
      person_page: { send: true },
      ...rest,
    };
  }

  /** Makes it. @returns it with where the link went, as `email`, and its path there. */
  async function referWithPage(given: Parameters<typeof ticked>[0] = {}) {
    const body = ticked(given);
    const email = by === 'text' ? body.patient.telephone : body.patient.email;
    const made = (await post(referrer, '', body)).body as { id: string; reference: string };
    return { ...made, email, path: (await linkTo(email))! };
  }

  const mails = (email: string) => mailsTo(site, email);

  /** The path of the link in the newest email that has one. */
  async function linkTo(email: string): Promise<string | undefined> {
    const all = (await mails(email)).map(({ text }) => /https?:\/\/[^\s/]+(\/my\/\S+)/.exec(text)?.[1]);
    return all.find((path) => path !== undefined);
  }

  /** The newest code. */
  async function codeTo(email: string): Promise<string | undefined> {
    const all = (await mails(email)).map(({ text }) => /\b\d{6}\b(?= is your code|$)/.exec(text)?.[0]);
    return all.find((code) => code !== undefined);
  }

  /** A browser without JavaScript and without an account. It keeps its cookies. */
  function telephone() {
    let cookie = '';
    const read = (answer: { statusCode: number; body: string; headers: Record<string, unknown> }) => {
      const set = [answer.headers['set-cookie'] ?? []].flat().map(String)[0];
      if (set !== undefined) cookie = set.split(';')[0]!;
      const page = parse(answer.body);
      const text = page.querySelector('main')?.structuredText ?? '';
      return { status: answer.statusCode, headers: answer.headers, html: answer.body, page, text };
    };
    const open = async (path: string, headers: Record<string, string> = {}) =>
      read(await app.inject({ url: path, headers: { cookie, ...headers } }));
    const send = async (path: string, fields: Record<string, string> = {}) =>
      read(
        await app.inject({
          method: 'POST',
          url: path,
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', cookie },
          payload: new URLSearchParams(fields).toString(),
        }),
      );
    return { open, send };
  }

  /** Opens the page with a code, as the person does. */
  async function openedBy(phone: ReturnType<typeof telephone>, page: { path: string; email: string }) {
    await phone.send(page.path, { step: 'code' });
    await phone.send(page.path, { step: 'open', code: (await codeTo(page.email))! });
    return phone.open(page.path);
  }

  return { ...life, ticked, referWithPage, mails, linkTo, codeTo, telephone, openedBy };
}
