import type { AddressInfo } from 'node:net';
import { aPractice, aReferral, aService, aTestNhsNumber, aTokenHolder } from '../../test/app/builders.ts';
import { refreshTokenOf } from '../../test/app/keys.ts';
import { makeApp } from '../../test/app/make-app.ts';
import { freePort } from '../../test/process/site-process.ts';
import { type NewReferral, Onward, type OnwardOptions } from '../src/index.ts';
import { unreliableLine } from './unreliable-line.ts';

export type ClientFixture = Awaited<ReturnType<typeof makeClientFixture>>;

/** A test site that listens, with a practice that refers and a service, and a line to it that loses what a test says. */
export async function makeClientFixture() {
  const port = await freePort();
  const env = { ONWARD_BASE_URL: `http://127.0.0.1:${port}` };
  const site = await makeApp({ env });
  // The site's answers carry the computer's time in `Date`, by which clients know how long their tokens live.
  site.clock.moveOn(Date.now() - site.clock.now().getTime());
  await site.app.listen({ host: '127.0.0.1', port });
  const siteUrl = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`;
  const line = await unreliableLine(siteUrl);

  const place = await aService(site.deps);
  await aPractice(site.deps);
  const referrer = await aTokenHolder(site.deps, {
    organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
  });
  const provider = await aTokenHolder(site.deps, {
    role: 'provider',
    organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
  });
  const refreshTokens = {
    referrer: await refreshTokenOf(site.deps, referrer.id),
    provider: await refreshTokenOf(site.deps, provider.id),
  };
  let people = 0;

  return {
    site,
    siteUrl,
    line,
    place,
    accounts: { referrer, provider },
    refreshTokens,
    /** A client of one of the accounts, by way of the line. */
    client: (who: 'referrer' | 'provider' = 'referrer', options: Partial<OnwardOptions> = {}) =>
      new Onward({ site: line.url, auth: { refreshToken: refreshTokens[who] }, ...options }),
    /** What refers another person each time. */
    newReferral(patient: Partial<NewReferral['patient']> = {}): NewReferral {
      people += 1;
      // Lists are in the order of time.
      site.clock.moveOn(1);
      const referral = aReferral(place.serviceId);
      const nhsNumber = aTestNhsNumber(people);
      return { ...referral, patient: { ...referral.patient, nhs_number: nhsNumber, ...patient } };
    },
    async close() {
      line.close();
      site.app.server.closeAllConnections();
      await site.close();
    },
  };
}
