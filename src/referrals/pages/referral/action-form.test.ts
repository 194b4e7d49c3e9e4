import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Action, actionRules } from '../../model/status/state-machine.ts';
import {
  actionBodyFrom,
  actionErrors,
  emptyActionForm,
  explainActionErrors,
  measuredFirst,
  readActionForm,
  waitForm,
} from './action-form.ts';

const actions = Object.keys(actionRules) as Action[];

/** What the page says about a form, sent as it is. */
function said(action: Action, typed: object) {
  const form = readActionForm(typed);
  return explainActionErrors(actionErrors(action, form, new Date(0)), form).summary;
}

describe('the form of an action', () => {
  it('says what is missing, and accepting needs nothing', () => {
    expect(said('accept', emptyActionForm)).toEqual([]);
    expect(said('reject', emptyActionForm)).toEqual([{ text: 'Select the reason', href: '#reason_code' }]);
    expect(said('complete', emptyActionForm)).toEqual([
      { text: 'Select the outcome', href: '#outcome_code' },
      { text: 'Describe what changed for the person', href: '#outcome_text' },
      { text: 'Select whether the GP practice has to do anything', href: '#gp_needed' },
    ]);
  });

  it('has used scales first, each with its start and end', () => {
    const names = measuredFirst([{ code: 'wemwbs' }]).map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['wemwbs_start', 'wemwbs_end']);
    expect(measuredFirst()[0]!.name).toBe(names[2]);
    expect(measuredFirst().map(({ name }) => name)).toHaveLength(names.length);
  });

  it('asks for a text only if the reason says too little', () => {
    for (const action of ['reject', 'hold', 'withdraw-as-error'] as const) {
      expect(said(action, { reason_code: 'other' })).toEqual([
        { text: 'Say what happened, in your own words', href: '#reason_text' },
      ]);
      expect(said(action, { reason_code: 'no-capacity' })).toEqual([]);
    }
    const status_reason = { code: 'no-capacity', text: 'The service is full at present' };
    expect(actionBodyFrom('reject', readActionForm({ reason_code: 'no-capacity' }))).toEqual({
      status_reason,
    });
    expect(waitForm({ code: 'no-capacity', text: status_reason.text }, null).reason_text).toBe('');
    // Who told of a death has to be known.
    expect(said('cancel', { reason_code: 'died' })).toHaveLength(1);
  });

  const outcome = { outcome_code: 'other', outcome_text: 'Well.' };

  it('requires what, by when, who asks and who knows of it', () => {
    expect(said('complete', { ...outcome, gp_needed: 'no' })).toEqual([]);
    expect(said('complete', { ...outcome, gp_needed: 'no', gp_1_text: 'Check.' })).toEqual([
      {
        text: 'You entered what the practice has to do. Select “Yes”, or empty those fields',
        href: '#gp_needed',
      },
    ]);
    expect(said('complete', { ...outcome, gp_needed: 'yes' })).toEqual([
      { text: 'Enter what the practice has to do', href: '#gp_1_text' },
      { text: 'Enter by when the practice should do it, like 5 4 2027', href: '#gp_1_day' },
      { text: 'Enter who asks, with a telephone number', href: '#gp_1_asked_by' },
      { text: 'Select whether the person was told', href: '#gp_1_told' },
    ]);
    const first = { gp_1_day: '1', gp_1_month: '1', gp_1_year: '2027', gp_1_asked_by: 'Jo', gp_1_told: 'no' };
    const third = { gp_3_text: 'x'.repeat(1001), gp_3_day: '31', gp_3_month: '2', gp_3_year: '2027' };
    expect(
      said('complete', { ...outcome, gp_needed: 'yes', gp_1_text: 'Ring her.', ...first, ...third }),
    ).toEqual([
      { text: expect.stringContaining('1000'), href: '#gp_3_text' },
      { text: 'The date for the practice must be a real date, like 5 4 2027', href: '#gp_3_day' },
      { text: 'Enter who asks, with a telephone number', href: '#gp_3_asked_by' },
      { text: 'Select whether the person was told', href: '#gp_3_told' },
    ]);
  });

  it('passes on that the person declines only with that reason', () => {
    const typed = { reason_text: 'No.', declines: 'yes' };
    const body = (reason_code: string) => actionBodyFrom('cancel', readActionForm({ ...typed, reason_code }));
    expect(body('client-declined')).toMatchObject({ declines_social_prescribing: true });
    expect(body('moved-away')).not.toHaveProperty('declines_social_prescribing');
  });

  it('goes by the date in the United Kingdom', () => {
    const held = waitForm({ code: 'other', text: 'Full.' }, '2026-06-30');
    expect(actionErrors('hold', held, new Date('2026-06-30T22:59:00Z'))).toEqual([]);
    expect(actionErrors('hold', held, new Date('2026-06-30T23:01:00Z'))).toEqual([
      { pointer: '/expected_date', message: 'must not be in the past', code: 'in-past' },
    ]);
  });

  it('has a field for every error, whatever is sent', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constant('x'.repeat(10_001)),
      fc.constant('no-capacity'),
    );
    const names = fc.constantFrom(...Object.keys(emptyActionForm));
    fc.assert(
      fc.property(fc.constantFrom(...actions), fc.dictionary(names, text), (action, typed) => {
        for (const error of said(action, typed))
          expect(emptyActionForm).toHaveProperty(String(error.href).slice(1));
      }),
    );
  });
});
