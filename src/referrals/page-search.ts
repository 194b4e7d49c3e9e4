import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { readForm, trimmed } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { Problem } from '../platform/problem/index.ts';
import type { ReferralDeps } from './deps.ts';
import { type Field, type FormErrors, fieldAt, formErrors, sentence } from './form-errors.ts';
import { listRows } from './list-rows.ts';
import { notRealDate, personFields, typedPerson } from './person-fields.ts';
import { searchErrors, searchReferrals } from './search-referrals.ts';
import type { Side } from './state-machine.ts';

type Deps = ReferralDeps & WebPlatform;

const searchFields = {
  nhs_number: {
    ...personFields.nhs_number,
    pointer: '/nhs_number',
    empty: 'Enter an NHS number, or a last name and a date of birth',
  },
  family_name: { ...personFields.family_name, pointer: '/family_name' },
  birth_day: { ...personFields.birth_day, pointer: '/birth_date', wrong: notRealDate },
  birth_month: personFields.birth_month,
  birth_year: personFields.birth_year,
  postcode: { ...personFields.postcode, pointer: '/postcode' },
} satisfies Record<string, Field>;

const names = Object.keys(searchFields) as (keyof typeof searchFields)[];
type Form = Record<(typeof names)[number], string>;

const anyForm = Type.Object({}, { additionalProperties: true });
const pageLength = 25;

/** Finds the referrals of a person. It is a form that is posted, so that nobody stands in an address. */
export function searchPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  app.get('/referrals/search', { config, schema: { hide: true } }, (request, reply) =>
    show(deps, request, reply, readForm({}, names)),
  );
  app.post('/referrals/search', { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    show(deps, request, reply, readForm(request.body, names), readForm(request.body, ['cursor']).cursor),
  );
}

async function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  values: Form,
  cursor?: string,
): Promise<Reply> {
  const template = 'referrals/templates/search.njk';
  if (cursor === undefined) return deps.pages.send(request, reply, template, { values });
  const search = { ...typedPerson(values), postcode: trimmed(values.postcode) };
  const wrong = searchErrors(search);
  if (wrong.length > 0) {
    const errors = explain(wrong, values);
    return deps.pages.send(request, reply.code(422), template, { values, errors });
  }
  const caller = requireCaller(request);
  const asked = { limit: pageLength, cursor: cursor || undefined, address: request.ip };
  const { items, next_cursor } = await searchReferrals(deps, caller, search, asked);
  // On which side somebody with both roles stands makes no difference to what a row says of whose turn it is.
  const sides = caller.roles.filter((role): role is Side => role !== 'operator');
  const rows = await listRows(deps, caller, items, () => sides);
  return deps.pages.send(request, reply, template, { values, rows, next_cursor, searched: true });
}

function explain(errors: NonNullable<Problem['errors']>, values: Form): FormErrors {
  const found = errors.map((error) => {
    const field = fieldAt(searchFields, error.pointer);
    return { field, text: field ? sentence(searchFields[field], values[field], error) : error.message };
  });
  return formErrors(names, found);
}
