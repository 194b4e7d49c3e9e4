import type { Caller } from '../../../accounts/index.ts';
import { withoutUndefined } from '../../../platform/objects.ts';
import { onOneLine, withNamesOnOneLine } from '../../../platform/visible-text.ts';
import { withCompactNumber } from '../../model/person/identity/nhs-number.ts';
import { withPlainNames } from '../../model/person/identity/patient.ts';
import { type DraftContent, overrideFields } from '../../model/referral.ts';
import type { DraftInput } from '../../model/schemas/new-referral.ts';

/** The fields that are stored as they were sent. */
const fieldsAsSent = [
  'reasons',
  'episode',
  'source',
  'method',
  'what_matters',
  'safety_notes',
  'safety_notes_for_practice',
  'support_offered',
  'risk',
  'contact',
  'do_not_show_online',
  'person_page',
  ...overrideFields,
  'gp_actions',
] as const satisfies readonly (keyof DraftInput)[];

/** What the input says, as it is stored: names on one line, times in UTC, no empty lists; and who refers. */
export function contentOf(caller: Caller, input: DraftInput): DraftContent {
  const { organisation } = caller;
  const onBehalfOf = input.referrer?.on_behalf_of;
  const referrer = {
    name: caller.name,
    role: 'referrer',
    organisation: organisation?.name ?? null,
    ods_code: organisation?.odsCode ?? null,
    ...(caller.jobTitle !== null && { job_title: caller.jobTitle }),
    ...(caller.telephone !== null && { telephone: caller.telephone }),
    ...(onBehalfOf !== undefined && { on_behalf_of: onOneLine(onBehalfOf) }),
  };
  const { patient, needs, goals, reasonable_adjustments, risk_acted_on, agreement, consent, made_at } = input;
  const content = {
    ...Object.fromEntries(fieldsAsSent.map((name) => [name, input[name]])),
    patient: patient && withPlainNames(withCompactNumber(patient)),
    needs: listOrNone(needs),
    goals: listOrNone(goals),
    reasonable_adjustments: listOrNone(reasonable_adjustments),
    risk_acted_on: risk_acted_on && inUtc(risk_acted_on, 'when'),
    agreement:
      agreement && withNamesOnOneLine(inUtc(agreement, 'when'), ['judged_by', 'decided_by', 'consulted']),
    consent: consent && withNamesOnOneLine(inUtc(consent, 'recorded_at'), ['recorded_by']),
    made_at: made_at && new Date(made_at).toISOString(),
  };
  return { referrer, ...(withoutUndefined(content) as DraftContent | undefined) };
}

/** An empty list is stored as none. */
function listOrNone<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length ? list : undefined;
}

/** A time may be sent with any offset; it is stored in UTC as all others are. */
function inUtc<Name extends string, T extends { [Each in Name]?: string | undefined }>(
  fields: T,
  name: Name,
): T {
  const moment = fields[name];
  return moment === undefined ? fields : { ...fields, [name]: new Date(moment).toISOString() };
}
