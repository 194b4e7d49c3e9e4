/** What the reference shows, and what `test/rules` sends: it works on a test site with its sample library. */
const sampleServiceId = '19096312-e822-4b61-87ce-491718e6e107';

export const newReferralExample = {
  service_id: sampleServiceId,
  urgency: 'routine',
  patient: {
    nhs_number: '9990000018',
    given_name: 'Margaret',
    family_name: 'Example',
    birth_date: '1947-03-09',
    address: { lines: ['4 Mill Lane', 'Sarrowby'], postcode: 'ZT1 3GH' },
    telephone: '01632 960123',
    preferred_contact: 'telephone, in the morning',
  },
  gp_practice: { ods_code: 'Z99001' },
  reasons: [{ text: 'Her husband died in the spring and she seldom leaves the house.' }],
  what_matters: 'She used to sing in a choir and would like to again.',
  consent: { referral: true, share_with_gp: true },
};

export const rejectExample = {
  status_reason: { code: 'no-capacity', text: 'The group is full until January.' },
};

export const completeExample = {
  outcome: { code: 'goals-met', text: 'She joined the choir and goes every week.' },
};
