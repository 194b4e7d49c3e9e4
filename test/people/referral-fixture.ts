import { sql } from 'kysely';
import { aPractice, aService, aTokenHolder } from '../app/builders.ts';
import { makeApp } from '../app/make-app.ts';

/** A site with a service, somebody who refers to it and its provider, and what they call. */
export async function makeReferralFixture() {
  const site = await makeApp();
  const place = await aService(site.deps);
  await aPractice(site.deps);
  const { organizationId: libraryOrganizationId, organizationName: name } = place;
  const referrer = await aTokenHolder(site.deps, {
    organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
  });
  const provider = await aTokenHolder(site.deps, {
    role: 'provider',
    organisation: { name, libraryOrganizationId },
  });
  return {
    site,
    place,
    provider,
    referrer,
    submit: (payload: object, headers: Record<string, string> = {}, who = referrer) =>
      site.app.inject({
        method: 'POST',
        url: '/api/referrals',
        payload,
        headers: { ...who.headers, ...headers },
      }),
    act: (id: string, action: string, payload: object, version = 1, who = provider) =>
      site.app.inject({
        method: 'POST',
        url: `/api/referrals/${id}/${action}`,
        payload,
        headers: { ...who.headers, 'if-match': `"${version}"` },
      }),
    async stored(): Promise<number> {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from referrals`.execute(
        site.deps.db,
      );
      return rows[0]!.count;
    },
    /** Ends all referrals, so that the same people can be referred again. Call it before each test. */
    completeAll: () => sql`update referrals set status = 'completed'`.execute(site.deps.db),
  };
}
