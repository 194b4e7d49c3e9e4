import { badRequest, type FieldError, Problem } from '../../platform/problem/index.ts';
import type { Service } from '../hsds/service.ts';
import { checkRecord } from '../import/check-record.ts';

/**
 * The service that somebody sent, checked as an import checks it, and for ages that nobody has: an import keeps what its
 * source says, but whoever sends a service here can still mend it. @throws Problem `bad-request` with pointers.
 */
export function checkedService(body: unknown): Service {
  const checked = checkRecord(body);
  if (!('service' in checked)) {
    throw refusal('errors' in checked ? checked.errors : [{ pointer: '', message: 'must be one service' }]);
  }
  const { minimum_age: from, maximum_age: to } = checked.service;
  if (from !== undefined && to !== undefined && to < from) {
    throw refusal([{ pointer: '/maximum_age', message: 'must not be less than minimum_age' }]);
  }
  return checked.service;
}

function refusal(errors: readonly FieldError[]): Problem {
  return new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
}
