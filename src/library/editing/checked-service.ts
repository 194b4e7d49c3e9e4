import { badRequest, Problem } from '../../platform/problem/index.ts';
import type { Service } from '../hsds/service.ts';
import { checkRecord } from '../import/check-record.ts';

/** The service that somebody sent, checked as an import checks it. @throws Problem `bad-request` with pointers. */
export function checkedService(body: unknown): Service {
  const checked = checkRecord(body);
  if ('service' in checked) return checked.service;
  const errors = 'errors' in checked ? checked.errors : [{ pointer: '', message: 'must be one service' }];
  throw new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
}
