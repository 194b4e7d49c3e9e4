// The examples of the API reference. `test/rules` sends them to a test site with the sample library.

/** A service of the sample library. */
const sampleServiceId = '19096312-e822-4b61-87ce-491718e6e107';

export const newReferralExample = {
  service_id: sampleServiceId,
  urgency: 'routine',
  patient: {
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
  risk: 'no',
  contact: { safe: 'yes', channel: 'telephone', voicemail: false },
  consent: { referral: true, share_with_gp: true },
};

/** A draft with little more than a name. */
export const draftExample = {
  service_id: sampleServiceId,
  patient: { given_name: 'Margaret', family_name: 'Example' },
  reasons: newReferralExample.reasons,
};

/** To another service of the sample library, a lunch club. */
export const rerouteExample = {
  service_id: '5b2a1783-6d04-4fee-aafe-fc1fb75aa868',
  consent: { referral: true, share_with_gp: true },
};

export const searchExample = { family_name: 'Example', birth_date: '1947-03-09' };
export const messageExample = { text: 'Would a morning suit her better?' };
export const openingExample = { reason: 'The service rang: it cannot read the address. Ticket 311.' };

export const restrictionExample = {
  reason: 'She says that the address is wrong, and asks that nobody uses it until that is settled.',
};
export const liftingExample = { reason: 'The address was put right.' };
export const holdExample = { reason: 'The coroner has asked for the record; letter of 12 November.' };
export const holdLiftingExample = { reason: 'The inquest has ended.' };
export const erasureExample = {
  ground: 'not-needed',
  reason: 'The person asked for it on 12 November. The data controller agreed.',
};

export const referralExample = {
  id: '01a1fc72-4adf-7a4a-aa65-fc267c41c863',
  reference: '7K3QF-XW29D',
  service_id: sampleServiceId,
  service: {
    name: 'Good Company befriending',
    organization_id: 'b49dadd1-f98b-448d-b2ae-9895f5cd6f89',
    organization_name: 'The Weir House Trust',
  },
  status: 'requested',
  status_reason: null,
  version: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  requested_at: '2026-11-21T09:30:00.000Z',
  due_at: '2026-12-04T17:00:00.000Z',
  next_date: '2026-12-04',
  first_contact_at: null,
  overdue: false,
  seen: { at: '2026-11-21T09:41:00.000Z', by: { name: 'Petra Provider' } },
  expected_date: null,
  reroutes: null,
  rerouted_to: null,
  referred_again: false,
  seen_to: null,
  possible_duplicates: null,
  possible_twins: null,
  contact_elsewhere: [],
  prompts: [],
  death_reported: null,
  restricted: false,
  held: false,
  erased_at: null,
  urgency: 'routine',
  simulated: true,
  gp_practice: { ods_code: 'Z99001', name: 'Infirmary Lane Surgery' },
  patient: newReferralExample.patient,
  referrer: {
    name: 'Rashid Referrer',
    role: 'referrer',
    organisation: 'Infirmary Lane Surgery',
    ods_code: 'Z99001',
  },
  reasons: newReferralExample.reasons,
  what_matters: newReferralExample.what_matters,
  safety_notes_for_practice: false,
  risk: newReferralExample.risk,
  contact: newReferralExample.contact,
  agreement: { basis: 'person' },
  gp_actions: null,
  consent: {
    referral: true,
    share_with_gp: true,
    recorded_by: 'Rashid Referrer',
    recorded_at: '2026-11-21T09:30:00.000Z',
  },
  outcome: null,
  deliveries: [
    {
      id: '01a1fc72-4ae0-7b1c-9d2e-3f4a5b6c7d8e',
      leg: 'service',
      purpose: 'referral',
      practice: null,
      practice_code: null,
      channel: 'inbox',
      status: 'received',
      may_have_arrived: true,
      refused_because: null,
      updated_at: '2026-11-21T09:30:01.000Z',
    },
    {
      id: '01a1fc72-4ae0-7b1c-9d2e-3f4a5b6c7d9e',
      leg: 'gp_practice',
      purpose: 'referral',
      practice: 'Infirmary Lane Surgery',
      practice_code: 'Z99001',
      channel: 'document',
      status: 'sent',
      may_have_arrived: true,
      refused_because: null,
      updated_at: '2026-11-21T09:30:01.000Z',
    },
  ],
};
