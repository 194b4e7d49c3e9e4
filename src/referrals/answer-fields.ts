import type { Field } from './form-errors.ts';
import { measureCodes, measures, stages } from './measures.ts';

/** The field of a form for a measure, such as `swemwbs_end`. */
export const measureFields = measureCodes.flatMap((code) =>
  stages.map((stage) => ({ name: `${code}_${stage}` as const, code, stage, ...measures[code] })),
);
type MeasureField = (typeof measureFields)[number]['name'];

const ofMeasures = Object.fromEntries(
  measureFields.map(({ name, stage, ...measure }) => {
    const label = `${measure.title}, at the ${stage}`;
    return [name, { label, wrong: `${label} must be a number from ${measure.least} to ${measure.most}` }];
  }),
) as Record<MeasureField, Field>;

/** The fields of the forms with which a referral is answered, in the order of the page. */
export const answerFields = {
  reason_code: { pointer: '/status_reason/code', label: 'Reason', empty: 'Select the reason' },
  reason_text: {
    pointer: '/status_reason',
    label: 'Explanation',
    empty: 'Explain the reason to the other side',
  },
  expected_day: {
    pointer: '/expected_date',
    label: 'Date',
    says: {
      'must be a date such as 1950-12-31': 'The date must be a real date, like 5 4 2027',
      'must not be in the past': 'The date must not be in the past',
    },
  },
  expected_month: { label: 'Month' },
  expected_year: { label: 'Year' },
  outcome_code: { pointer: '/outcome/code', label: 'Outcome', empty: 'Select what came of it' },
  outcome_text: {
    pointer: '/outcome/text',
    label: 'Description',
    empty: 'Describe what came of it for the person',
  },
  ...ofMeasures,
} satisfies Record<string, Field>;

export type AnswerField = keyof typeof answerFields;
export type AnswerForm = Record<AnswerField, string>;
