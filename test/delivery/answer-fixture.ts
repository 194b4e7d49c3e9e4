import { parse } from 'node-html-parser';
import { deliver } from '../../src/delivery/send/deliver.ts';
import { aPractice, aReferral, aService, aTokenHolder } from '../app/builders.ts';
import { makeApp, type TestAppOptions } from '../app/make-app.ts';
import { setChannels } from '../library/stored.ts';
import { setServiceAddress } from './receivers.ts';
import { capturedMessages, storedDeliveries } from './stored.ts';

const charity = 'desk@footpath-friends.example.org';

/** A test site with a charity that has no account and gets referrals by email, and somebody who refers to it. */
export async function answerFixture(options: TestAppOptions = {}) {
  const site = await makeApp(options);
  const { deps, app } = site;
  const place = await aService(deps);
  await aPractice(deps);
  const reachedBy = (channels: string[]) => setChannels(deps.db, place.serviceId, { channels });
  const setAddress = (address: string) =>
    setServiceAddress(deps.db, { serviceId: place.serviceId, channel: 'email', address });
  await reachedBy(['email']);
  await setAddress(charity);
  const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
  const referrer = await aTokenHolder(deps, { organisation: surgery, name: 'Rita Referrer' });
  const operator = await aTokenHolder(deps, { role: 'operator' });
  let count = 0;

  /** Refers another person each time. */
  async function refer(given: Record<string, unknown> = {}) {
    count += 1;
    const body = aReferral(place.serviceId, given);
    const { nhs_number: _, ...patient } = body.patient;
    const payload = {
      ...body,
      patient: { ...patient, family_name: `Example${letter(Math.floor(count / 26))}${letter(count % 26)}` },
    };
    const made = await app.inject({
      method: 'POST',
      url: '/api/referrals',
      payload,
      headers: referrer.headers,
    });
    if (made.statusCode !== 201) throw new Error(made.body);
    return made.json() as { id: string; reference: string };
  }

  /** The latest email to the service about the referral. */
  async function email(referralId: string): Promise<string> {
    for (const { id, leg } of await storedDeliveries(deps.db, referralId))
      if (leg === 'service') await deliver(deps, { delivery_id: id });
    const sent = await capturedMessages(deps.db);
    return sent.findLast((each) => each.referral_id === referralId && each.channel === 'email')!.body;
  }

  /** The path of its link to answer; undefined if it has none. */
  const linkOf = async (referralId: string) => pathIn(await email(referralId));

  return { site, place, referrer, operator, charity, reachedBy, setAddress, refer, email, linkOf };
}

const letter = (index: number) => String.fromCharCode('a'.charCodeAt(0) + index);

/** The path of the link to answer in the text of an email. */
export function pathIn(text: string): string | undefined {
  return /https?:\/\/[^\s/]+(\/answer\/\S+)/.exec(text)?.[1];
}

/** Somebody who opens a link without an account, in a browser of their own that sends no Referer and keeps cookies. */
export function linkHolder({ app }: Pick<Awaited<ReturnType<typeof makeApp>>, 'app'>) {
  let cookie: string | undefined;
  const read = (answer: { statusCode: number; body: string; headers: Record<string, unknown> }) => {
    const page = parse(answer.body);
    const text = page.querySelector('main')?.structuredText ?? '';
    return { status: answer.statusCode, headers: answer.headers, html: answer.body, page, text };
  };
  const sent = () => (cookie === undefined ? {} : { cookie });
  return {
    open: async (path: string, headers: Record<string, string> = {}) =>
      read(await app.inject({ url: path, headers: { ...sent(), ...headers } })),
    /** Presses the button of the open page. */
    async send(path: string, fields: Record<string, string>) {
      const { page } = read(await app.inject({ url: path, headers: sent() }));
      const hidden = (name: string) => page.querySelector(`input[name=${name}]`)?.getAttribute('value');
      const opened_at = hidden('opened_at');
      const form = { version: hidden('version') ?? '1', ...(opened_at && { opened_at }), ...fields };
      const answer = await app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', ...sent() },
        payload: new URLSearchParams(form).toString(),
      });
      const given = String(answer.headers['set-cookie'] ?? '');
      if (given !== '') cookie = given.split(';')[0];
      return { ...read(answer), cookie: given };
    },
    cookie: () => cookie,
  };
}
