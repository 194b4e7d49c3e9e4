import { Type } from 'typebox';

/** Why an operator does it, as short as other reasons in the audit. */
export const reasonSchema = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$',
  description: 'Why. It is kept when all else is gone, so it must not name the person.',
});
