import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Action, rules } from '../model/state-machine.ts';
import {
  answerBody,
  answerErrors,
  emptyAnswerForm,
  explainAnswerErrors,
  readAnswerForm,
} from './answer-form.ts';

const actions = Object.keys(rules) as Action[];

/** What the page says about a form, sent as it is. */
function said(action: Action, typed: object) {
  const form = readAnswerForm(typed);
  return explainAnswerErrors(answerErrors(action, answerBody(action, form), new Date(0)), form).summary;
}

describe('the form of an action', () => {
  test('says what is missing, and accepting needs nothing', () => {
    expect(said('accept', emptyAnswerForm)).toEqual([]);
    expect(said('reject', emptyAnswerForm)).toEqual([
      { text: 'Select the reason', href: '#reason_code' },
      { text: 'Explain the reason to the other side', href: '#reason_text' },
    ]);
    expect(said('complete', emptyAnswerForm)).toEqual([
      { text: 'Select what came of it', href: '#outcome_code' },
      { text: 'Describe what came of it for the person', href: '#outcome_text' },
    ]);
  });

  test('goes by the date in the United Kingdom', () => {
    const held = { status_reason: { code: 'other', text: 'Full.' }, expected_date: '2026-06-30' };
    expect(answerErrors('hold', held, new Date('2026-06-30T22:59:00Z'))).toEqual([]);
    expect(answerErrors('hold', held, new Date('2026-06-30T23:01:00Z'))).toEqual([
      { pointer: '/expected_date', message: 'must not be in the past', code: 'in-past' },
    ]);
  });

  test('has a field for every error, whatever is sent', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constant('x'.repeat(10_001)),
      fc.constant('no-capacity'),
    );
    const names = fc.constantFrom(...Object.keys(emptyAnswerForm));
    fc.assert(
      fc.property(fc.constantFrom(...actions), fc.dictionary(names, text), (action, typed) => {
        for (const error of said(action, typed))
          expect(emptyAnswerForm).toHaveProperty(String(error.href).slice(1));
      }),
    );
  });
});
