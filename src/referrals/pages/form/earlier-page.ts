import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { findServiceForReferral, type ServiceForReferral } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../../platform/problem/index.ts';
import { filterReportedDead } from '../../endings/reported-deaths.ts';
import { type ListedReferral, listVisibleReferrals } from '../../listing/list-referrals.ts';
import { searchErrors, searchReferrals } from '../../listing/search-referrals.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { referralStatuses } from '../../model/referral.ts';
import { explainSearchErrors, searchFieldNames } from '../lists/search-page.ts';
import { patientName } from '../name-and-due.ts';
import { personFromForm } from '../referral-fields.ts';

type Deps = ReferralDeps & WebPlatform;

const querystring = Type.Object({ service: Type.String({ maxLength: 200 }) });
/** A draft was sent to nobody, and a referral that was made in error says nothing of the person. */
export const sentStatuses = referralStatuses.filter(
  (status) => status !== 'draft' && status !== 'entered-in-error',
);
const maxListed = 50;

/** The page on which somebody who was referred before is chosen, for a form to this service. */
export function earlierPath({ id }: Pick<ServiceForReferral, 'id'>): string {
  return `/referrals/earlier?${new URLSearchParams({ service: id })}`;
}

/**
 * Chooses a person from the referrals that the reader’s side has made. The list and the search are recorded as access to these people’s
 * data. The search is sent by POST, so that no name appears in an address.
 */
export function earlierPages(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));
  const schema = { hide: true, querystring };
  app.get('/referrals/earlier', { config, schema }, async (request, reply) => {
    const { items } = await listVisibleReferrals(deps, requireCaller(request), {
      direction: 'made',
      statuses: sentStatuses,
      limit: maxListed,
      cursor: undefined,
      ipAddress: request.ip,
    });
    return show(deps, request, reply, { values: readUntrimmedFields({}, searchFieldNames), items });
  });

  app.post('/referrals/earlier', { config, schema: { ...schema, body: anyForm } }, async (request, reply) => {
    const values = readUntrimmedFields(request.body, searchFieldNames);
    const search = { ...personFromForm(values), postcode: trimToUndefined(values.postcode) };
    const wrong = searchErrors(search);
    if (wrong.length > 0) {
      reply.code(unprocessable.status);
      return show(deps, request, reply, { values, items: [], errors: explainSearchErrors(wrong, values) });
    }
    const { items } = await searchReferrals(deps, requireCaller(request), search, {
      direction: 'made',
      limit: maxListed,
      cursor: undefined,
      ipAddress: request.ip,
    });
    return show(deps, request, reply, { values, items, searched: true });
  });
}

type PageState = {
  values: Record<(typeof searchFieldNames)[number], string>;
  items: readonly ListedReferral[];
  errors?: ReturnType<typeof explainSearchErrors>;
  searched?: boolean;
};

async function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  { items, ...shown }: PageState,
): Promise<Reply> {
  const { service: serviceId } = request.query as { service: string };
  const service = await findServiceForReferral(deps.db, serviceId);
  if (!service) throw new Problem(notFound);
  return deps.pages.send(request, reply, 'referrals/pages/templates/form/earlier.njk', {
    ...shown,
    service,
    formPath: `/referrals/new?${new URLSearchParams({ service: service.id })}`,
    action: earlierPath(service),
    people: (await withoutReportedDead(deps, request, items)).map(({ referral, patient }) => ({
      name: patientName(referral),
      birthDate: patient.birth_date,
      postcode: patient.address?.postcode,
      service: referral.service?.name,
      at: referral.requested_at,
      path: `/referrals/new?${new URLSearchParams({ service: service.id, person: referral.id })}`,
    })),
  });
}

type KnownPerson = {
  given_name?: string;
  family_name?: string;
  birth_date?: string;
  nhs_number?: string;
  address?: { postcode?: string };
};

/** Without people whose death was reported to the reader’s organisation: nobody refers them again. */
async function withoutReportedDead(deps: Deps, request: Request, items: readonly ListedReferral[]) {
  const people = peopleOf(items);
  const patients = people.map(({ patient }) => patient);
  const dead = await inTransaction(deps.db, (trx) =>
    filterReportedDead(trx, deps, requireCaller(request), patients),
  );
  return people.filter(({ patient }) => !dead.has(patient));
}

/** Each person once, by the newest referral, as far as the reader may see them. */
function peopleOf(items: readonly ListedReferral[]) {
  const people = new Map<string, { referral: ListedReferral['referral']; patient: KnownPerson }>();
  for (const { referral, sides } of items) {
    if (!sides.includes('referrer') || referral.requested_at === null || !('patient' in referral)) continue;
    const patient = referral.patient as KnownPerson;
    const key = JSON.stringify([patientName(referral), patient.birth_date]);
    if (!people.has(key)) people.set(key, { referral, patient });
  }
  return [...people.values()];
}
