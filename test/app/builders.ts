import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createAccount, type NewAccount, type Role } from '../../src/accounts/index.ts';
import type { AppDeps } from '../../src/app.ts';
import { siteActor } from '../../src/audit/index.ts';
import { importPractices, importServices } from '../../src/exchange/index.ts';
import { isNhsNumber } from '../../src/referrals/model/person/identity/nhs-number.ts';
import { storeNewAccessToken } from '../../src/tokens/index.ts';

/** Things that tests need, made with sensible values wherever a test does not say. */

export const testPassword = 'a long enough password';

type GivenAccount = Partial<NewAccount> & { role?: Role };

export async function anAccount(deps: AppDeps, { role = 'referrer', ...given }: GivenAccount = {}) {
  const email = given.email ?? `${randomUUID()}@example.org`;
  const account: NewAccount = {
    name: 'Test Person',
    roles: [role],
    hasApiAccess: true,
    password: testPassword,
    ...(role === 'provider' && {
      organisation: { name: 'Test provider', libraryOrganizationId: randomUUID() },
    }),
    ...given,
    email,
  };
  const id = await createAccount(deps, siteActor, account);
  return { id, email, password: account.password };
}

/** An account with a live access token. */
export async function aTokenHolder(deps: AppDeps, given: GivenAccount = {}) {
  const account = await anAccount(deps, given);
  const { text } = await storeNewAccessToken(deps, account.id, 'apikeys');
  return { ...account, token: text, headers: { authorization: `Bearer ${text}` } };
}

/** A new access token for somebody whose token has expired, because the test’s clock went on. */
export async function renewToken(
  deps: AppDeps,
  holder: { id: string; headers: { authorization: string } },
): Promise<void> {
  const { text } = await storeNewAccessToken(deps, holder.id, 'apikeys');
  holder.headers.authorization = `Bearer ${text}`;
}

export type ServiceOfOrganisation = {
  serviceId: string;
  serviceName: string;
  organizationId: string;
  organizationName: string;
};

/** One active service of one organisation, in the library. */
export async function aService(
  deps: AppDeps,
  given: Partial<ServiceOfOrganisation> & {
    status?: string;
    telephone?: string;
    minimumAge?: number;
    need?: string;
  } = {},
): Promise<ServiceOfOrganisation> {
  const place = {
    serviceId: given.serviceId ?? randomUUID(),
    serviceName: given.serviceName ?? 'Tuesday walking group',
    organizationId: given.organizationId ?? randomUUID(),
    organizationName: given.organizationName ?? `Footpath Friends ${randomUUID().slice(0, 8)}`,
  };
  const service = {
    id: place.serviceId,
    name: place.serviceName,
    description: 'A gentle walk by the river, with tea afterwards.',
    status: given.status ?? 'active',
    ...(given.telephone && { phones: [{ id: randomUUID(), number: given.telephone }] }),
    ...(given.minimumAge !== undefined && { minimum_age: given.minimumAge }),
    ...(given.need && {
      attributes: [
        {
          taxonomy_term: { id: given.need, name: given.need, taxonomy_detail: { id: 'need', name: 'Need' } },
        },
      ],
    }),
    organization_id: place.organizationId,
    organization: {
      id: place.organizationId,
      name: place.organizationName,
      description: 'Walks for everyone.',
    },
  };
  await importServices(deps, siteActor, Readable.from([Buffer.from(`${JSON.stringify(service)}\n`)]));
  return place;
}

export async function aPractice(
  deps: AppDeps,
  odsCode = 'Z99001',
  name = 'Infirmary Lane Surgery',
): Promise<string> {
  const lines = [
    'ods_code,name,address,city,postcode,latitude,longitude,phone',
    `${odsCode},${name},1 High Street,Sarrowby,ZT1 1AA,54.05,-2.15,01632 960001`,
  ];
  await importPractices(deps, siteActor, Readable.from([Buffer.from(`${lines.join('\n')}\n`)]));
  return odsCode;
}

/** The body of POST /api/referrals for a made-up person. */
export function aReferral<Given extends Record<string, unknown>>(serviceId: string, given?: Given) {
  const example = {
    service_id: serviceId,
    patient: {
      nhs_number: '9990000018',
      given_name: 'Margaret',
      family_name: 'Example',
      birth_date: '1947-03-09',
      address: { lines: ['4 Mill Lane', 'Sarrowby'], postcode: 'ZT1 3GH' },
      telephone: '01632 960123',
    },
    reasons: [{ text: 'She is lonely since her husband died.' }],
    consent: { referral: true, share_with_gp: true },
  };
  return { ...example, ...(given as Given) };
}

/** The NHS number of the nth made-up person; each has another. */
export function aTestNhsNumber(n: number): string {
  // Among twenty consecutive numbers, at least one has the right check digit.
  const twenty = Array.from({ length: 20 }, (_, each) => `9992${String(n * 20 + each).padStart(6, '0')}`);
  return twenty.find(isNhsNumber)!;
}
