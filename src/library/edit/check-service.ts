import { momentOf } from '../../platform/clock/index.ts';
import { describeErrors, validatorOf } from '../../platform/http/index.ts';
import { badRequest, wrongInput } from '../../platform/problem/index.ts';
import { type Service, serviceSchema } from '../model/service.ts';
import { removeInvalidValues } from '../model/wrong-values.ts';
import { cleanRecord, withRealReason } from '../write/clean-record.ts';
import { cleanTimes, dropStaleOriginals } from '../write/clean-times.ts';

const maxErrors = 5;

/**
 * Checks a service that somebody sent. An import leaves out invalid parts. Here the sender can correct them, so one invalid
 * part, or a maximum age below the minimum, refuses the whole service.
 * @throws Problem `bad-request` with pointers.
 */
export function checkService(body: unknown): Service {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw wrongInput(badRequest, [{ pointer: '', message: 'must be an object: one service' }]);
  const { unusable, message } = cleanRecord(body);
  if (message !== undefined) throw wrongInput(badRequest, [{ pointer: '', message }]);
  const check = validatorOf(serviceSchema);
  if (!check.Check(body))
    throw wrongInput(
      badRequest,
      withRealReason(describeErrors(check.Errors(body), ''), unusable).slice(0, maxErrors),
    );
  const { last_modified, minimum_age: from, maximum_age: to } = body;
  if (last_modified !== undefined && !momentOf(last_modified))
    unusable.push({
      pointer: '/last_modified',
      message: 'must be a date and time such as 2026-11-21T09:30:00Z',
    });
  if (unusable.length > 0) throw wrongInput(badRequest, unusable.slice(0, maxErrors));
  if (from !== undefined && to !== undefined && to < from)
    throw wrongInput(badRequest, [{ pointer: '/maximum_age', message: 'must not be less than minimum_age' }]);
  return body;
}

/** Checks a service from the API, and writes its times and addresses in HSDS's form as an import does. */
export function checkServiceFromApi(body: unknown): Service {
  const service = checkService(body);
  const wrong = removeInvalidValues(service, { isTyped: true });
  if (wrong.length > 0) throw wrongInput(badRequest, wrong);
  dropStaleOriginals(service);
  cleanTimes(service);
  return service;
}
