import { type TSchema, Type } from 'typebox';
import { measureCodes, stages } from './measures.ts';
import { closed, long } from './new-referral-schema.ts';
import { reasonCodes } from './referral.ts';
import type { Action } from './state-machine.ts';
import { outcomeWords } from './status-words.ts';

const statusReasonSchema = Type.Object(
  { code: Type.Enum([...reasonCodes]), text: long('The reason in words, for the other side to read.') },
  closed,
);

export const outcomeSchema = Type.Object(
  {
    code: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$',
      description: `A short code: one of ${Object.keys(outcomeWords).join(', ')}, which pages say in words; or a code of your own, such as of SNOMED CT, which is kept and shown as it is.`,
    }),
    text: long('What came of it for the person.'),
    measures: Type.Optional(
      Type.Array(
        Type.Object(
          {
            code: Type.Enum([...measureCodes]),
            stage: Type.Enum([...stages], { description: 'Taken when the support began, or when it ended.' }),
            value: Type.Number({
              minimum: 0,
              maximum: 35,
              description:
                'Whole numbers: 0 to 10 for each question of ONS4, 1 to 4 for the PAM level. 7 to 35 for SWEMWBS, whose metric scores have decimals.',
            }),
          },
          closed,
        ),
        { minItems: 1, maxItems: 12, description: 'What was measured, each at most once a stage.' },
      ),
    ),
  },
  closed,
);

const nothing = Type.Object({}, closed);
const withReason = Type.Object({ status_reason: statusReasonSchema }, closed);
const withWait = Type.Object(
  {
    status_reason: statusReasonSchema,
    expected_date: Type.Optional(
      Type.String({ format: 'date', description: 'When a place is expected, if that is known.' }),
    ),
  },
  closed,
);

/** The body of each action. */
export const actionSchemas: Readonly<Record<Action, TSchema>> = {
  accept: nothing,
  reject: withReason,
  start: nothing,
  hold: withWait,
  'change-wait': withWait,
  complete: Type.Object({ outcome: outcomeSchema }, closed),
  fail: withReason,
  cancel: withReason,
  'withdraw-as-error': Type.Object({ status_reason: Type.Optional(statusReasonSchema) }, closed),
};
