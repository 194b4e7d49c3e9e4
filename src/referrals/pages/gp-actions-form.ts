import { joinDate, trimToUndefined } from '../../platform/html/index.ts';
import { withoutUndefined } from '../../platform/objects.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import type { GpActionInput } from '../model/referral.ts';
import { contradiction, type Field } from './form-errors.ts';

// What the GP practice has to do, as the forms to make and to complete a referral ask it: yes or no, and up to three actions.

const numbers = [1, 2, 3] as const;
type Part = 'text' | 'day' | 'month' | 'year' | 'asked_by' | 'told';
export type GpField = 'gp_needed' | `gp_${(typeof numbers)[number]}_${Part}`;
type GpForm = Record<GpField, string>;

const fieldsOfAction = (number: (typeof numbers)[number]) => {
  const date = 'Enter by when the practice should do it, like 5 4 2027';
  return {
    [`gp_${number}_text`]: {
      label: 'What the practice has to do',
      empty: 'Enter what the practice has to do',
    },
    [`gp_${number}_day`]: {
      label: 'Date for the practice',
      empty: date,
      messages: {
        format: 'The date for the practice must be a real date, like 5 4 2027',
        'in-past': 'The date for the practice must not be in the past',
        required: date,
      },
    },
    [`gp_${number}_month`]: { label: 'Month' },
    [`gp_${number}_year`]: { label: 'Year' },
    [`gp_${number}_asked_by`]: {
      label: 'Who asks',
      empty: 'Enter who asks, with a telephone number',
    },
    [`gp_${number}_told`]: {
      label: 'Whether the person was told',
      empty: 'Select whether the person was told',
    },
  };
};

export const gpFields = {
  gp_needed: {
    pointer: '/gp_actions',
    label: 'Action for the GP practice',
    empty: 'Select whether the GP practice has to do anything',
    messages: {
      contradiction: 'You entered what the practice has to do. Select “Yes”, or empty those fields',
    },
  },
  ...(Object.assign({}, ...numbers.map(fieldsOfAction)) as Record<Exclude<GpField, 'gp_needed'>, Field>),
} satisfies Record<string, Field>;

const parts: readonly Part[] = ['text', 'day', 'month', 'year', 'asked_by', 'told'];

/** The first action always counts; the others if anything was typed. */
function filledActions(form: GpForm) {
  return numbers.filter(
    (number) => number === 1 || parts.some((part) => form[`gp_${number}_${part}`].trim() !== ''),
  );
}

/** A task for the practice must not be lost because “No” was left selected. */
export function gpContradictions(form: GpForm): FieldError[] {
  const hasText = numbers.some((number) => form[`gp_${number}_text`].trim() !== '');
  return form.gp_needed === 'no' && hasText ? [contradiction('/gp_actions')] : [];
}

/** The list for the API; undefined while the question is not answered. */
export function gpActionsFrom(form: GpForm): object[] | undefined {
  if (form.gp_needed === 'no') return [];
  if (form.gp_needed !== 'yes') return undefined;
  return filledActions(form).map((number) => {
    const [year, month, day] = [
      form[`gp_${number}_year`],
      form[`gp_${number}_month`],
      form[`gp_${number}_day`],
    ];
    const patientKnows = form[`gp_${number}_told`];
    return {
      ...withoutUndefined({
        text: trimToUndefined(form[`gp_${number}_text`]),
        by_date: joinDate([year, month, day]),
        asked_by: trimToUndefined(form[`gp_${number}_asked_by`]),
        patient_told: patientKnows === 'yes' ? true : patientKnows === 'no' ? false : undefined,
      }),
    };
  });
}

/** The form filled in with what was asked before. What does not fit into it is left out. */
export function gpFormFromActions(actions: readonly GpActionInput[] | undefined): Partial<GpForm> {
  if (actions === undefined) return {};
  const filled = actions
    .slice(0, numbers.length)
    .map(({ text, by_date = '--', asked_by, patient_told }, index) => {
      const number = numbers[index]!;
      const [year, month, day] = by_date.split('-').map((part) => part.replace(/^0/, ''));
      const patientKnows = patient_told === undefined ? '' : patient_told ? 'yes' : 'no';
      const values = { text, day, month, year, asked_by: asked_by ?? '', told: patientKnows };
      return Object.fromEntries(parts.map((part) => [`gp_${number}_${part}`, values[part]]));
    });
  return Object.assign({ gp_needed: actions.length > 0 ? 'yes' : 'no' }, ...filled);
}

/** The actions that the form does not show, because there are more than it has places for. */
export function gpActionsNotShown<T>(actions: readonly T[] | undefined): T[] {
  return (actions ?? []).slice(numbers.length);
}

/** Pages ask what the API may leave out, because nobody else would. */
export function missingGpAnswers(actions: readonly object[] | undefined): FieldError[] {
  const missingError = (pointer: string) => ({ pointer, message: 'is required', code: 'required' });
  if (actions === undefined) return [missingError('/gp_actions')];
  return actions.flatMap((action, index) =>
    ['text', 'by_date', 'asked_by', 'patient_told']
      .filter((name) => !(name in action))
      .map((name) => missingError(`/gp_actions/${index}/${name}`)),
  );
}

const partOf: Readonly<Record<string, Part>> = {
  text: 'text',
  by_date: 'day',
  asked_by: 'asked_by',
  patient_told: 'told',
};

/** The field of an error of the API in one of the actions. */
export function gpFieldAt(form: GpForm, pointer: string): GpField | undefined {
  const [, index, name] = /^\/gp_actions\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
  if (index === undefined) return undefined;
  const number = filledActions(form)[Number(index)];
  return number && `gp_${number}_${partOf[name ?? 'text'] ?? 'text'}`;
}

/** Whether the second or third action is filled in, so that the page does not fold them away. */
export function hasFurtherActions(form: GpForm): boolean {
  return filledActions(form).length > 1;
}
