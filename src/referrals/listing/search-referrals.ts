import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { withRefusalAudit } from '../../audit/index.ts';
import { compactPostcode } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import {
  type App,
  describeErrors,
  listOf,
  listQuery,
  nonBlankPattern,
  noOtherFields,
  type PagedList,
  type PagedListQuery,
  problemAnswers,
  requiredUnless,
  validatorOf,
  withToken,
} from '../../platform/http/index.ts';
import { withoutUndefined } from '../../platform/objects.ts';
import { badRequest, type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { reasonRule, requireReason } from '../../platform/reason.ts';
import { requireAnonymousReason } from '../model/access/operator-reason.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { normaliseName } from '../model/person/identity/names.ts';
import { withCompactNumber } from '../model/person/identity/nhs-number.ts';
import { patientKeys } from '../model/person/identity/patient.ts';
import { searchExample } from '../model/schemas/examples.ts';
import { patientSchema } from '../model/schemas/new-referral.ts';
import { badBody, tags } from '../model/schemas/route-parts.ts';
import { type ListedReferral, listVisibleReferrals } from './list-referrals.ts';
import { listPatientDetailsByNumber } from './list-store.ts';

export type PatientSearch = {
  nhs_number?: string | undefined;
  family_name?: string | undefined;
  birth_date?: string | undefined;
  postcode?: string | undefined;
};

/**
 * The referrals of one person that the caller may see, without restricted ones. The audit keeps what was found,
 * and not who was searched for. Operators may search for anybody, so they must give a reason, and cannot try out
 * postcodes.
 * @throws Problem `bad-request` for a bad cursor or too few details; `unprocessable` for what operators must send.
 */
export async function searchReferrals(
  deps: ReferralDeps,
  caller: Caller,
  search: PatientSearch,
  page: PagedListQuery & {
    ipAddress: string;
    reason?: string | undefined;
    direction?: 'made';
    statuses?: readonly string[];
  },
): Promise<PagedList<ListedReferral>> {
  const errors = missingFields(search);
  if (errors.length > 0) {
    throw new Problem(badRequest, 'Send nhs_number, or family_name and birth_date.', { errors });
  }
  const keys = patientKeys(deps.secrets, withCompactNumber(withoutUndefined(search) ?? {}));
  const patient = {
    numberKey: keys.number ?? undefined,
    familyKey: keys.family ?? undefined,
    // An NHS number with only a name or only a birth date: there is no key for these, so the referrals are compared.
    ids: keys.number && !keys.family ? await findIdsByNumber(deps.db, keys.number, search) : undefined,
    postcode: search.postcode === undefined ? undefined : compactPostcode(search.postcode),
  };
  const isOperator = caller.roles.includes('operator');
  if (!isOperator)
    return listVisibleReferrals(deps, caller, { ...page, patient, typedPerson: search, reason: undefined });
  const attempt = { actor: actorOf(caller, page.ipAddress), action: 'referral.searched' as const };
  // A refusal is audited too: the refusal of a reason tells an operator that somebody of that name is known.
  return withRefusalAudit(deps, attempt, async () => {
    const reason = requireOperatorsReason(search, page.reason);
    return listVisibleReferrals(deps, caller, { ...page, patient, typedPerson: search, reason });
  });
}

/** @throws Problem `unprocessable`. */
function requireOperatorsReason(search: PatientSearch, typed: string | undefined): string {
  if (search.postcode !== undefined) {
    const errors = [{ pointer: '/postcode', message: 'must be left out by an operator' }];
    throw new Problem(unprocessable, 'An operator searches without the postcode.', { errors });
  }
  const reason = requireReason(typed);
  requireAnonymousReason(reason, { patient: search });
  return reason;
}

async function findIdsByNumber(
  db: Db,
  number: Buffer,
  { family_name, birth_date }: PatientSearch,
): Promise<string[] | undefined> {
  if (family_name === undefined && birth_date === undefined) return undefined;
  const familyName = family_name && normaliseName(family_name);
  const people = await listPatientDetailsByNumber(db, number);
  return people
    .filter((person) => familyName === undefined || normaliseName(person.family_name ?? '') === familyName)
    .filter((person) => birth_date === undefined || person.birth_date === birth_date)
    .map(({ id }) => id);
}

/** All errors of a search, for the page to show beside its fields. */
export function searchErrors(search: PatientSearch): FieldError[] {
  const errors = describeErrors(validatorOf(patientSearchSchema).Errors(withoutUndefined(search) ?? {}), '');
  return errors.length > 0 ? errors : missingFields(search);
}

function missingFields({ nhs_number, family_name, birth_date }: PatientSearch): FieldError[] {
  if (nhs_number !== undefined) return [];
  const message = 'is required where nhs_number is not given';
  if (family_name !== undefined && birth_date === undefined) return [{ pointer: '/birth_date', message }];
  if (birth_date !== undefined && family_name === undefined) return [{ pointer: '/family_name', message }];
  if (family_name !== undefined) return [];
  return [{ pointer: '/nhs_number', message: 'is required where family_name and birth_date are not given' }];
}

const { nhs_number, family_name, birth_date, address } = patientSchema.properties;

/** The details that a person is searched by. */
const searchFields = {
  nhs_number,
  family_name: Type.Optional(family_name),
  birth_date: Type.Optional(birth_date),
  postcode: Type.Optional(address.properties.postcode),
};

const searchReason = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: nonBlankPattern,
    description: `Why you look for the person. Operators must send it, others need not. ${reasonRule}. It is kept in the audit with what was found, so it must not name the person.`,
  }),
);
const patientSearchSchema = Type.Object(searchFields, noOtherFields);

const searchSchema = Type.Object(
  { ...searchFields, reason: searchReason, ...listQuery },
  {
    title: 'PersonSearch',
    rules: requiredUnless('nhs_number', ['family_name', 'birth_date']),
    additionalProperties: false,
    examples: [searchExample],
  },
);

export function searchRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/search',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'searchReferrals',
        tags,
        summary: 'Find the referrals of a person',
        description:
          'Those of one person among the referrals that you may see, newest first: by NHS number, or by last name and date of birth, with the postcode as well if you like. It is a POST so that no detail of a person appears in a URL or a log. An operator sends a reason, and no postcode. Restricted referrals are not found. Accents, capitals, spaces and hyphens of names make no difference.',
        body: searchSchema,
        response: {
          200: listOf(Type.Ref('Referral')),
          ...problemAnswers({
            ...badBody,
            422: 'An operator gave no reason, too short a one or one that names the person, or sent a postcode.',
          }),
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor, reason, ...search } = request.body;
      const page = { limit, cursor, reason, ipAddress: request.ip };
      const { items, next_cursor } = await searchReferrals(deps, requireCaller(request), search, page);
      return { items: items.map(({ referral }) => referral), next_cursor };
    },
  );
}
