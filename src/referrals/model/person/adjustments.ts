import { lowerFirst } from '../../../platform/first-letter.ts';

/** What makes it possible for somebody to use a service: reasonable adjustments under the Equality Act. */
const adjustments = {
  'carer-present': 'A carer or friend with them',
  advocate: 'An advocate',
  reminders: 'Reminders of appointments',
  'written-information': 'Information in writing',
  hearing: 'Help with hearing',
  vision: 'Help with seeing',
  'communication-aid': 'A communication aid',
  wheelchair: 'Wheelchair access',
  'low-noise': 'A quiet place',
  'low-light': 'Low light',
  'same-gender-staff': 'Staff of the same gender',
  'longer-appointment': 'Longer appointments',
  'time-to-decide': 'Time to decide',
  'home-visit': 'A home visit',
  'first-or-last-appointment': 'The first or last appointment of the day',
  anxiety: 'Help with anxiety about the visit',
  'not-left-alone': 'Not left alone',
} as const satisfies Record<string, string>;

export type Adjustment = keyof typeof adjustments;
export const adjustmentCodes = Object.keys(adjustments) as Adjustment[];
export const adjustmentItems = adjustmentCodes.map((value) => ({ value, text: adjustments[value] }));

/** In one line: “Wheelchair access; a quiet place”. Undefined where none was named. */
export function adjustmentsInWords(codes: readonly Adjustment[] | undefined): string | undefined {
  const words = (codes ?? []).map((code) => adjustments[code]);
  if (words.length === 0) return undefined;
  const [first, ...rest] = words;
  return [first, ...rest.map(lowerFirst)].join('; ');
}
