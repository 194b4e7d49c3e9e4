import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/app/runs.ts';
import { describeErrors } from '../../../platform/http/index.ts';
import { newReferralSchema } from '../../model/schemas/new-referral.ts';
import { fieldAt } from '../form-errors.ts';
import { type ReferralField, referralFieldNames, referralFields } from '../referral-fields.ts';
import {
  draftFrom,
  emptyReferralForm,
  explainReferralErrors,
  formOf,
  keepHiddenFields,
  newReferralFrom,
  type ReferralForm,
  readReferralForm,
} from './referral-form.ts';

const check = Compile(newReferralSchema);

const filled: ReferralForm = {
  ...emptyReferralForm,
  given_name: ' Margaret ',
  family_name: 'Example',
  birth_day: '9',
  birth_month: '3',
  birth_year: '1947',
  nhs_number: '999 000 0018',
  address_line_1: '4 Mill Lane',
  address_town: 'Sarrowby',
  postcode: 'zt13gh',
  gp_ods_code: 'z99001',
  urgency: 'routine',
  interpreter: 'Polish',
  reasons: 'She is lonely.\r\nShe seldom goes out.',
  risk: 'yes',
  risk_told: 'The duty social worker',
  risk_told_at: '2026-07-01T10:30',
  share_with_gp: 'codes_only',
  agreement_basis: 'person',
};

/** What the page says about a form, sent as it is. */
function said(form: ReferralForm) {
  const errors = describeErrors(check.Errors(newReferralFrom(form, 'a-service')), '');
  return explainReferralErrors(errors, form);
}

describe('the form of a referral', () => {
  it('keeps more lines of an address than it shows', () => {
    const lines = ['Flat 2', 'Old Mill', '4 Mill Lane', 'Sarrowby', 'Valleyshire'];
    const stored = { patient: { address: { lines } } };
    const form = formOf(stored);
    const saved = (typed: ReferralForm) =>
      keepHiddenFields(draftFrom(typed, null), stored).patient?.address?.lines;
    expect(saved(form)).toEqual(lines);
    expect(saved({ ...form, address_line_1: 'Flat 3' })).toEqual([
      'Flat 3',
      'Old Mill',
      '4 Mill Lane, Sarrowby, Valleyshire',
    ]);
  });

  it('says so if a tick against showing it online is taken away', () => {
    const stored = { do_not_show_online: true };
    const form = formOf(stored);
    const saved = (typed: ReferralForm) =>
      keepHiddenFields(draftFrom(typed, null), stored).do_not_show_online;
    expect([saved(form), saved({ ...form, do_not_show_online: '' })]).toEqual([true, false]);
  });

  it('keeps more actions for the GP practice than it shows', () => {
    const action = (text: string) => ({ text, by_date: '2027-03-01', asked_by: 'Jo', patient_told: false });
    const stored = { gp_actions: ['one', 'two', 'three', 'four'].map(action) };
    const form = formOf(stored);
    const saved = (typed: ReferralForm) => keepHiddenFields(draftFrom(typed, null), stored).gp_actions;
    expect(saved(form)).toEqual(stored.gp_actions);
    expect(saved({ ...form, gp_1_text: 'first' })?.map(({ text }) => text)).toEqual([
      'first',
      'two',
      'three',
      'four',
    ]);
    expect(saved({ ...form, gp_needed: 'no' })).toEqual([]);
    expect(formOf({ gp_actions: [] }).gp_needed).toBe('no');
    expect(formOf({}).gp_needed).toBe('');
  });

  it('becomes the body of the API, tidied but not changed', () => {
    const input = newReferralFrom(filled, 'a-service');
    expect(check.Check(input)).toBe(true);
    expect(input).toEqual({
      agreement: { basis: 'person' },
      service_id: 'a-service',
      urgency: 'routine',
      risk: 'yes',
      // In summer London is an hour ahead of UTC.
      risk_acted_on: { who_was_told: 'The duty social worker', when: '2026-07-01T09:30:00.000Z' },
      patient: {
        nhs_number: '9990000018',
        given_name: 'Margaret',
        family_name: 'Example',
        birth_date: '1947-03-09',
        communication_needs: { interpreter: 'Polish' },
        address: { lines: ['4 Mill Lane', 'Sarrowby'], postcode: 'ZT1 3GH' },
      },
      gp_practice: { ods_code: 'Z99001' },
      reasons: [{ text: 'She is lonely.\nShe seldom goes out.' }],
      consent: { referral: true, share_with_gp: 'codes_only' },
    });
  });

  it('says everything it needs, in the order of the page', () => {
    expect(said(emptyReferralForm).summary).toEqual([
      { text: 'Enter the person’s first name', href: '#given_name' },
      { text: 'Enter the person’s last name', href: '#family_name' },
      { text: 'Enter the person’s date of birth', href: '#birth_day' },
      { text: 'Enter the first line of the person’s address', href: '#address_line_1' },
      { text: 'Enter the person’s postcode', href: '#postcode' },
      { text: 'Select whether the GP practice may be told', href: '#share_with_gp' },
      { text: 'Enter why you are referring the person', href: '#reasons' },
      { text: 'Select whether the person agrees, or who agreed for them', href: '#agreement_basis' },
    ]);
  });

  it.each<[Partial<ReferralForm>, ReferralField, string]>([
    [{ birth_day: '31', birth_month: '2' }, 'birth_day', 'Date of birth must be a real date, like 9 3 1947'],
    [{ birth_year: '47' }, 'birth_day', 'Date of birth must be a real date, like 9 3 1947'],
    [{ birth_month: ' ', birth_year: '' }, 'birth_day', 'Date of birth must include a month and year'],
    [{ nhs_number: '12' }, 'nhs_number', 'NHS number must have 10 digits, like 999 000 0018'],
    [{ postcode: 'nowhere' }, 'postcode', 'Enter a full UK postcode, like HR1 2BN'],
    [{ telephone: 'none' }, 'telephone', 'Enter a telephone number, like 01632 960 001'],
    [{ email: 'x' }, 'email', 'Enter an email address in the right format, like name@example.org'],
    [
      { gp_ods_code: '?' },
      'gp_ods_code',
      'GP practice code must be 3 to 12 letters and numbers, like Z99001',
    ],
    [{ urgency: 'very' }, 'urgency', 'Select how urgent the referral is'],
    [{ given_name: 'x'.repeat(201) }, 'given_name', 'First name must have at most 200 characters'],
    [{ reasons: 'x'.repeat(10_001) }, 'reasons', 'Reason must have at most 10000 characters'],
    [
      { address_line_1: '', address_town: 'x'.repeat(201) },
      'address_town',
      'Town or city must have at most 200 characters',
    ],
  ])('refuses %j beside its field', (typed, field, text) => {
    const { summary, fields } = said({ ...filled, ...typed });
    expect(fields).toEqual({ [field]: { text } });
    expect(summary).toHaveLength(1);
  });

  it('leaves out the characters that nobody sees', () => {
    expect(said({ ...filled, what_matters: '\0To sing\u200b again' }).summary).toEqual([]);
  });

  it('never throws, keeps what was typed and explains refusals', () => {
    const typed = fc.dictionary(fc.constantFrom(...referralFieldNames), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(typed, (sent) => {
        const form = readReferralForm(sent);
        for (const name of referralFieldNames) expect(form[name]).toBe(sent[name] ?? '');
        const accepted = check.Check(newReferralFrom(form, 'a-service'));
        expect(said(form).summary.length === 0).toBe(accepted);
      }),
      { numRuns: runs(500) },
    );
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (body, value) => {
        said(readReferralForm(body));
        said(readReferralForm({ given_name: value, reasons: [value], birth_year: value }));
      }),
    );
  });

  /** Parts of the API's body that the page does not ask for, so that nothing in a form can be wrong there. */
  const notAsked = new Set([
    // Asked on the page before sending, if another referral asks for more care.
    '/contact_override/reason',
    // Asked on the page before sending, if there is a risk or words of a crisis.
    '/urgency_override/reason',
    '/consent/wording',
    '/consent/recorded_by',
    '/consent/recorded_at',
    '/service_id',
    '/reroutes',
    '/status',
    // Goals have a page of their own.
    '/goals/0/text',
    '/goals/0/need',
    '/goals/0/result',
  ]);

  it('has a field for every part of the API’s body', () => {
    for (const pointer of leaves(newReferralSchema as unknown as Node, '')) {
      const field = fieldAt(referralFields, pointer);
      expect(field === undefined, pointer).toBe(notAsked.has(pointer));
    }
  });

  it('shows an error without a field in the summary', () => {
    const message = 'is a service that is not active at present';
    const inactive = [{ pointer: '/service_id', message, code: 'inactive-service' }];
    const { summary, fields } = explainReferralErrors(inactive, filled);
    expect(fields).toEqual({});
    expect(summary).toEqual([{ text: 'Nothing was sent: this service is not active at present' }]);
    const ofDraft = explainReferralErrors(inactive, filled, 'saved');
    expect(ofDraft.summary[0]?.text).toBe('Nothing was saved: this service is not active at present');
    const unforeseen = [{ pointer: '/patient/carer', message: 'must be an object' }];
    expect(explainReferralErrors(unforeseen, filled).summary[0]?.text).toContain('must be an object');
  });
});

type Node = { properties?: Record<string, Node>; items?: Node };

function leaves({ properties, items }: Node, at: string): string[] {
  if (items) return leaves(items, `${at}/0`);
  if (!properties) return [at];
  return Object.entries(properties).flatMap(([name, node]) => leaves(node, `${at}/${name}`));
}
