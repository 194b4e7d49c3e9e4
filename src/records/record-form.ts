import { Type } from 'typebox';
import {
  type FormErrors,
  readUntrimmedFields,
  toFormErrors,
  trimToUndefined,
} from '../platform/html/index.ts';
import { describeErrors, validatorOf } from '../platform/http/index.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import {
  type ErasureGround,
  erasureGrounds,
  momentFromField,
  type RecordChangeRequest,
  reasonSchema,
} from '../referrals/index.ts';

// The form by which an operator changes a record: why, on which ground, and who was told.

const formSchema = Type.Object({ reason: reasonSchema });

/** The fields of the form, in order. */
const recordFormLabels = {
  told_who: 'The name',
  told_at: 'The time',
  ground: 'The ground',
  reason: 'The reason',
} as const;

/** The field of the page for each field of the action. */
const fieldsOfPage: Readonly<Record<string, string>> = {
  '/service_told/who_was_told': '/told_who',
  '/service_told/when': '/told_at',
  '/told/who_was_told': '/told_who',
  '/told/when': '/told_at',
};

/** What a refusal says, beside the fields of the page. */
export function recordFormErrors({ kind, detail, errors = [] }: Problem): FormErrors {
  const pageErrors = errors.map((each) => ({ ...each, pointer: fieldsOfPage[each.pointer] ?? each.pointer }));
  return toFormErrors(recordFormLabels, new Problem(kind, detail, { errors: pageErrors }));
}

export type RecordForm = ReturnType<typeof readRecordForm>;

/** Reads the whole form. @throws Problem `unprocessable`. */
export function readRecordForm(action: string, body: unknown) {
  return { ...readReason(action, body), ...readWhoWasTold(action, body) };
}

/** What the form says if nobody was named. */
export const missingNameMessages = {
  restrict: 'Tell a person at the service first, and enter who it was',
  erase: 'Tell somebody who will deal with what is open, and enter who',
} as const;

/**
 * Reads whom the operator told, and when: at the service before a restriction, or about what is open before an erasure.
 * @throws Problem `unprocessable` if only one of the two is entered.
 */
function readWhoWasTold(
  action: string,
  body: unknown,
): Pick<RecordChangeRequest, 'service_told' | 'told' | 'mustTellService'> {
  if (action === 'erase') {
    const notice = readTold(body, missingNameMessages.erase);
    return notice ? { told: notice } : {};
  }
  if (action !== 'restrict') return {};
  return { service_told: readTold(body, missingNameMessages.restrict), mustTellService: true };
}

/** @returns undefined if both fields are empty. */
function readTold(body: unknown, missingNameMessage: string): RecordChangeRequest['told'] {
  const form = readUntrimmedFields(body, ['told_who', 'told_at']);
  const who_was_told = trimToUndefined(form.told_who);
  const when = trimToUndefined(form.told_at);
  if (who_was_told === undefined && when === undefined) return undefined;
  const moment = momentFromField(when ?? '');
  const errors = [
    ...(who_was_told === undefined ? [{ pointer: '/told_who', message: missingNameMessage }] : []),
    ...(who_was_told !== undefined && who_was_told.length > 200
      ? [{ pointer: '/told_who', message: 'Use 200 characters or fewer' }]
      : []),
    ...(moment === undefined
      ? [{ pointer: '/told_at', message: 'Enter the day and time when you told them' }]
      : []),
  ];
  if (who_was_told === undefined || moment === undefined || errors.length > 0)
    throw new Problem(unprocessable, undefined, { errors });
  return { who_was_told, when: moment };
}

/** Reads the reason, and for an erasure its ground. @throws Problem `unprocessable`. */
function readReason(action: string, body: unknown): { reason: string; ground?: ErasureGround } {
  const form = readUntrimmedFields(body, ['reason', 'ground']);
  const reason = trimToUndefined(form.reason) ?? '';
  const ground = Object.hasOwn(erasureGrounds, form.ground) ? (form.ground as ErasureGround) : undefined;
  const [error] = describeErrors(validatorOf(formSchema).Errors({ reason }), '');
  const errors = [
    ...(action === 'erase' && !ground
      ? [{ pointer: '/ground', message: 'Select why it may be erased' }]
      : []),
    ...(error ? [{ pointer: '/reason', message: reason === '' ? 'Enter a reason' : error.message }] : []),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return { reason, ...(ground && { ground }) };
}

/** The grounds for an erasure, as the form lists them. */
export const groundChoices = Object.entries(erasureGrounds).map(([value, text]) => ({ value, text }));

/** What was typed into the form. */
export function enteredValues(body: unknown): Record<'reason' | 'ground' | 'told_who' | 'told_at', string> {
  return readUntrimmedFields(body, ['reason', 'ground', 'told_who', 'told_at']);
}

/** The ground that was chosen, in words. */
export function chosenGround({ ground }: { ground: string }): string | undefined {
  return Object.hasOwn(erasureGrounds, ground) ? erasureGrounds[ground as ErasureGround] : undefined;
}
