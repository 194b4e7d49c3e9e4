import { Type } from 'typebox';
import { written } from '../../platform/http/index.ts';

/** Why an operator does it, as short as other reasons in the audit. */
export const reasonSchema = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: written,
  description: 'Why. It is kept when all else is gone, so it must not name the person.',
});
