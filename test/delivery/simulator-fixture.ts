import { afterAll, expect } from 'vitest';
import { deliver } from '../../src/delivery/send/deliver.ts';
import { simulate } from '../../src/delivery/test-site/simulator/simulate.ts';
import { anAccount, aPractice, aReferral, aService, aTokenHolder } from '../app/builders.ts';
import { makeApp } from '../app/make-app.ts';

/** A developer of a client system who drives whole loops alone: every call here is one of the API. */
export async function simulatorFixture() {
  const site = await makeApp({ env: { ONWARD_REMIND_AFTER_DAYS: '3', ONWARD_REJECT_AFTER_DAYS: '10' } });
  afterAll(() => site.close());
  await aPractice(site.deps);
  await anAccount(site.deps, { role: 'operator' });
  const { serviceId, organizationId, organizationName } = await aService(site.deps);
  const referrer = await aTokenHolder(site.deps, {
    organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
  });
  await anAccount(site.deps, {
    role: 'provider',
    organisation: { name: organizationName, libraryOrganizationId: organizationId },
  });

  async function call(method: 'GET' | 'POST', url: string, payload?: object) {
    const answer = await site.app.inject({
      method,
      url,
      headers: referrer.headers,
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, body: answer.json() };
  }

  /** Runs what is queued for a referral, as the worker does within a second. */
  async function workOff(id: string): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      const { rows } = await site.database.pool.query(
        `select id from deliveries where referral_id = $1 and status in ('queued', 'sending')`,
        [id],
      );
      for (const { id: delivery_id } of rows) await deliver(site.deps, { delivery_id });
      await simulate(site.deps, { referral_id: id });
    }
  }

  async function refer(
    names: { family_name: string; given_name?: string },
    service = serviceId,
    more: object = {},
  ): Promise<string> {
    const { patient, ...rest } = aReferral(service);
    const body = {
      ...rest,
      patient: { ...patient, ...names },
      gp_practice: { ods_code: 'Z99001' },
      allow_duplicate: true,
      ...more,
    };
    const made = await call('POST', '/api/referrals', body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await workOff(made.body.id);
    return made.body.id;
  }

  async function moveOn(id: string, by: string) {
    const answer = await call('POST', `/api/simulator/${id}/move-on`, { by });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await workOff(id);
    return answer.body;
  }

  const read = async (id: string) => (await call('GET', `/api/referrals/${id}`)).body;
  const history = async (id: string): Promise<string[]> =>
    (await call('GET', `/api/referrals/${id}/history`)).body.items.map(
      (line: any) => line.to ?? line.to_status,
    );
  const deliveries = async (id: string): Promise<any[]> =>
    (await call('GET', `/api/referrals/${id}/deliveries`)).body.items;
  const told = async (id: string) =>
    (await deliveries(id)).map(({ leg, purpose, status }) => `${leg} ${purpose}: ${status}`);

  async function worklist(id: string): Promise<string[]> {
    const { rows } = await site.database.pool.query(
      `select w.kind || case when w.escalated then ', escalated' else '' end || case when w.closed_at is null then '' else ', closed' end as row
       from worklist w join deliveries d on d.id = w.delivery_id where d.referral_id = $1 order by d.leg desc, d.id`,
      [id],
    );
    return rows.map(({ row }) => row);
  }

  return {
    site,
    referrer,
    serviceId,
    call,
    workOff,
    refer,
    moveOn,
    read,
    history,
    deliveries,
    told,
    worklist,
  };
}
