import { requireCaller } from '../../../accounts/index.ts';
import { readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import {
  type FieldError,
  type Problem,
  requireRefusal,
  unprocessable,
} from '../../../platform/problem/index.ts';
import { reasonErrors } from '../../../platform/reason.ts';
import { searchErrors, searchReferrals } from '../../listing/search-referrals.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { isNhsNumber } from '../../model/person/identity/nhs-number.ts';
import { errorText, type Field, type FormErrors, fieldAt, formErrors } from '../form-errors.ts';
import { notRealDate, personFieldWords, personFromForm } from '../referral-fields.ts';
import { worklistRoles } from './list-request.ts';
import { listRows } from './list-rows.ts';

type Deps = ReferralDeps & WebPlatform;

export const searchFields = {
  nhs_number: {
    ...personFieldWords.nhs_number,
    pointer: '/nhs_number',
    messages: { 'not-nhs-number': 'Check the NHS number: one of its 10 digits is wrong' },
    empty: 'Enter an NHS number, or a last name and a date of birth',
  },
  family_name: { ...personFieldWords.family_name, pointer: '/family_name' },
  birth_day: {
    ...personFieldWords.birth_day,
    pointer: '/birth_date',
    wrong: notRealDate,
    empty: 'Enter the date of birth, or the NHS number',
  },
  birth_month: personFieldWords.birth_month,
  birth_year: personFieldWords.birth_year,
  postcode: { ...personFieldWords.postcode, pointer: '/postcode' },
  reason: { label: 'The reason', pointer: '/reason', empty: 'Say why you are looking for this person' },
} satisfies Record<string, Field>;

export const searchFieldNames = Object.keys(searchFields) as (keyof typeof searchFields)[];
const names = searchFieldNames;
type Form = Record<(typeof names)[number], string>;

const pageLength = 25;

/** Finds the referrals of a person. The form is sent by POST, so that no name appears in an address. */
export function searchPages(app: App, deps: Deps): void {
  const config = page(signedIn(...worklistRoles));
  app.get('/referrals/search', { config, schema: { hide: true } }, (request, reply) =>
    show(deps, request, reply, readUntrimmedFields({}, names)),
  );
  app.post('/referrals/search', { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    show(
      deps,
      request,
      reply,
      readUntrimmedFields(request.body, names),
      readUntrimmedFields(request.body, ['cursor']).cursor,
    ),
  );
}

async function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  values: Form,
  cursor?: string,
): Promise<Reply> {
  const caller = requireCaller(request);
  const isOperator = caller.roles.includes('operator');
  const send = (context: object = {}) =>
    deps.pages.send(request, reply, 'referrals/pages/templates/lists/search.njk', {
      values,
      isOperator,
      ...context,
    });
  if (cursor === undefined) return send();
  const search = { ...personFromForm(values), postcode: trimToUndefined(values.postcode) };
  const errors = [...searchErrors(search), ...checkDigitErrors(search.nhs_number)];
  if (errors.length > 0) {
    reply.code(unprocessable.status);
    const alsoWrong = isOperator ? reasonErrors(values.reason) : [];
    return send({ errors: explainSearchErrors([...errors, ...alsoWrong], values) });
  }
  const reason = trimToUndefined(values.reason);
  const listRequest = { limit: pageLength, cursor: cursor || undefined, reason, ipAddress: request.ip };
  try {
    const { items, next_cursor } = await searchReferrals(deps, caller, search, listRequest);
    const rows = await listRows(deps, caller, items);
    return send({ rows, next_cursor, searched: true });
  } catch (error) {
    requireRefusal(error, [unprocessable]);
    reply.code(unprocessable.status);
    return send({ errors: explainSearchErrors(error.errors ?? [], values) });
  }
}

/** No referral has such a number, and somebody who mistyped a digit would believe that the person was never referred. */
function checkDigitErrors(number: string | undefined): FieldError[] {
  if (number === undefined || !/^\d{10}$/.test(number) || isNhsNumber(number)) return [];
  return [{ pointer: '/nhs_number', message: 'is not an NHS number', code: 'not-nhs-number' }];
}

/** A date of birth is empty only where all its parts are. */
function typedInto(field: (typeof names)[number], values: Form): string {
  if (field !== 'birth_day') return values[field];
  return [values.birth_day, values.birth_month, values.birth_year].map((each) => each.trim()).join('');
}

export function explainSearchErrors(errors: NonNullable<Problem['errors']>, values: Form): FormErrors {
  const fieldErrors = errors.map((error) => {
    const field = fieldAt(searchFields, error.pointer);
    return {
      field,
      text: field ? errorText(searchFields[field], typedInto(field, values), error) : error.message,
    };
  });
  return formErrors(names, fieldErrors);
}
