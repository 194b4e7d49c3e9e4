import type { Referral } from '../../src/referrals/index.ts';

type Content = Referral['content'];
type Given = Partial<Omit<Referral, 'content'>> & { content?: Partial<Content> };

const at = new Date('2026-11-21T09:30:00Z');

const content: Content = {
  patient: {
    nhs_number: '9990000018',
    given_name: 'Małgorzata Siân',
    family_name: 'Żółkiewska-Llŷr',
    birth_date: '1947-03-09',
    gender: 'female',
    ethnicity: 'White Polish',
    address: { lines: ['4 Mill Lane', 'Sarrowby'], postcode: 'zt1 2ab' },
    telephone: '01632 960123',
    email: 'margaret@example.org',
    preferred_contact: 'telephone, in the morning',
    communication_needs: { interpreter: 'Polish', format: 'large print' },
    carer: { name: 'Jan Żółkiewski', relationship: 'son', telephone: '01632 960124' },
  },
  referrer: {
    name: 'Asha Patel',
    role: 'referrer',
    organisation: 'Infirmary Lane Surgery',
    ods_code: 'Z99001',
    on_behalf_of: 'Dr Robin Hale',
  },
  reasons: [{ text: 'She is lonely since her husband died.', code: '105412007' }, { text: 'Low mood.' }],
  what_matters: 'She used to sing in a choir.\nShe wants to be home before dark.',
  safety_notes: 'There is a large dog at the house.',
  support_offered: 'A bereavement leaflet.',
  consent: {
    referral: true,
    share_with_gp: true,
    recorded_by: 'Robin Hale',
    recorded_at: '2026-11-20T10:00:00Z',
  },
};

/** A referral with every field filled in, and what a test gives in their place. */
export function exampleReferral({ content: givenContent, ...given }: Given = {}): Referral {
  return {
    id: '0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f',
    reference: '7K3QF-XW29D',
    service_id: 'choir',
    service: {
      name: 'Sarrowby Community Choir',
      organization_id: 'arts-trust',
      organization_name: 'Sarrowby Arts Trust',
    },
    status: 'requested',
    status_reason: null,
    endCause: null,
    version: 1,
    created_at: at,
    updated_at: at,
    versionAt: at,
    requested_at: at,
    due_at: null,
    expected_date: null,
    deathReportedAt: null,
    death_reported: null,
    reroutes: null,
    rerouted_to: null,
    referred_again: false,
    resolvedAt: null,
    resolvedBy: null,
    remindedAt: null,
    rejectionAt: null,
    declineFinalAt: null,
    next_date: null,
    first_contact_at: null,
    seenAt: null,
    seenByName: null,
    restrictedAt: null,
    legalHoldAt: null,
    erasedAt: null,
    urgency: 'routine',
    simulated: true,
    gp_practice: { ods_code: 'Z99002', name: 'Mill Lane Surgery' },
    outcome: null,
    referrerAccountId: '0192f5c2-7d5e-7cc3-98c4-000000000001',
    referrerOrganisationId: null,
    ...given,
    content: { ...content, ...givenContent },
  };
}
