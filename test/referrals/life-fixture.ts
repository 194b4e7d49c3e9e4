import { afterAll } from 'vitest';
import { storeNewAccessToken } from '../../src/tokens/index.ts';
import { aPractice, aReferral, aService, aTokenHolder } from '../app/builders.ts';
import { makeApp } from '../app/make-app.ts';

export type Holder = Awaited<ReturnType<typeof aTokenHolder>>;
type Call = { body?: object; version?: number; headers?: Record<string, string> };

/** For the life of a referral by the API: a site with two services, those who refer and answer, and what they call. */
export async function referralLifeFixture() {
  const site = await makeApp({ env: { ONWARD_REMIND_AFTER_DAYS: '7', ONWARD_REJECT_AFTER_DAYS: '28' } });
  afterAll(() => site.close());
  const place = await aService(site.deps);
  const elsewhere = await aService(site.deps, { serviceName: 'Thursday choir' });
  await aPractice(site.deps);
  const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
  const referrer = await aTokenHolder(site.deps, { organisation });
  const colleague = await aTokenHolder(site.deps, { organisation });
  const provider = await aTokenHolder(site.deps, {
    role: 'provider',
    organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
  });
  const operator = await aTokenHolder(site.deps, { role: 'operator', name: 'Olga Operator' });
  const stranger = await aTokenHolder(site.deps);

  async function call(
    who: Holder,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    { body, version, headers }: Call = {},
  ) {
    const answer = await site.app.inject({
      method,
      url: `/api/referrals${path}`,
      headers: { ...who.headers, ...(version !== undefined && { 'if-match': `"${version}"` }), ...headers },
      ...(body && { payload: body }),
    });
    return {
      status: answer.statusCode,
      body: answer.body.startsWith('{') ? answer.json() : answer.body,
      answer,
    };
  }
  const get = (who: Holder, path: string) => call(who, 'GET', path);
  /** A client system that shows a person what it reads. */
  const shown = (who: Holder, path: string) =>
    call(who, 'GET', path, { headers: { 'onward-shown-to': 'person' } });
  const post = (who: Holder, path: string, body: object = {}, version?: number) =>
    call(who, 'POST', path, { body, ...(version !== undefined && { version }) });

  /** Time goes by, and everybody gets a new token: the old ones have ended. */
  async function later(ms: number): Promise<void> {
    site.clock.moveOn(ms);
    for (const who of [referrer, colleague, provider, operator, stranger]) {
      const { text } = await storeNewAccessToken(site.deps, who.id, 'apikeys');
      who.headers = { authorization: `Bearer ${text}` };
    }
  }

  let people = 0;
  function aPerson(serviceId = place.serviceId, given: object = {}) {
    people += 1;
    const { patient } = aReferral(serviceId);
    const { nhs_number: _, ...rest } = patient;
    return aReferral(serviceId, { patient: { ...rest, family_name: `Person ${people}` }, ...given });
  }
  const makeReferral = async (given: object = {}) =>
    (await post(referrer, '', aPerson(place.serviceId, given))).body;
  const reason = { status_reason: { code: 'no-capacity', text: 'Full until spring.' } };
  const deliveriesOf = async (id: string) => (await get(referrer, `/${id}/deliveries`)).body.items;

  return {
    site,
    place,
    elsewhere,
    referrer,
    colleague,
    provider,
    operator,
    stranger,
    call,
    get,
    shown,
    post,
    later,
    aPerson,
    makeReferral,
    reason,
    deliveriesOf,
  };
}
