import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import type { OutgoingMessage } from '../channel.ts';
import { buildLocalDocument } from './render.ts';

const documentOf = (given: Pick<OutgoingMessage, 'leg' | 'purpose'> & Partial<OutgoingMessage>) => {
  const nothing = { codesOnly: false, contactElsewhere: [], news: [] };
  const message = { id: 'm1', createdAt: new Date(0), simulated: true, ...nothing, ...given };
  const whole = { referral: exampleReferral(), ...message } as OutgoingMessage;
  return buildLocalDocument(whole, 'http://localhost', Buffer.from('%PDF'));
};

const { safety_notes, reasons, support_offered, what_matters } = exampleReferral().content;
const whatWasSaid = [safety_notes, reasons[0]!.text, support_offered, what_matters].map(String);

describe('the document of a local workflow', () => {
  it('tells a practice named by mistake only what finds its letter', () => {
    const { referral } = JSON.parse(documentOf({ leg: 'gp_practice', purpose: 'removal' }));
    expect(Object.keys(referral)).toEqual(['reference', 'created_at', 'patient', 'referrer']);
  });

  it('tells a service all at first, and only who it was at the end', () => {
    const { content } = exampleReferral();
    const referral = documentOf({ leg: 'service', purpose: 'referral' });
    expect(referral).toContain(content.safety_notes);
    const ended = documentOf({ leg: 'service', purpose: 'outcome' });
    expect(JSON.parse(ended).referral.patient.family_name).toBe(content.patient.family_name);
    const { telephone, email, address } = content.patient;
    for (const secret of [...whatWasSaid, telephone, email, address.lines[0]]) {
      expect(ended).not.toContain(secret);
    }
  });

  it('warns a service of opposite answers on contact; tells news', () => {
    const contact = { safe: 'no', who_must_not_know: 'her husband' } as const;
    const contactElsewhere = [{ id: 'r2', reference: 'R2', contact, stricter: true }];
    const news = [{ at: '2026-11-21T09:30:00Z', by: 'Asha Patel', text: 'He is back.', telephone: '0163' }];
    const sent = (
      purpose: OutgoingMessage['purpose'] = 'referral',
      status: OutgoingMessage['referral']['status'] = 'requested',
    ) => {
      const referral = exampleReferral({ status, content: { contact } });
      return JSON.parse(documentOf({ leg: 'service', purpose, contactElsewhere, news, referral })).referral;
    };
    expect(sent()).toMatchObject({
      contact_elsewhere: contactElsewhere,
      news: [{ at: '2026-11-21T09:30:00Z', by: 'Asha Patel', text: 'He is back.' }],
    });
    expect(sent('outcome')).toMatchObject({ contact, contact_elsewhere: contactElsewhere });
    expect(
      JSON.stringify(sent('outcome', 'entered-in-error')),
      'the answers may be about another person',
    ).not.toMatch(/contact_elsewhere|who_must_not_know/);
  });

  it('tells a practice that others ask for care, but not why', () => {
    const contact = { safe: 'no', who_must_not_know: 'the man upstairs' } as const;
    const contactElsewhere = [{ id: 'r2', reference: 'OTHER-2', contact, stricter: true }];
    const news = [{ at: '2026-11-21T09:30:00Z', by: 'Asha Patel', text: 'He is back.', telephone: '0163' }];
    const sent = (purpose: OutgoingMessage['purpose'], stricter: boolean) => {
      const differing = contactElsewhere.map((each) => ({ ...each, stricter }));
      const leg = 'gp_practice' as const;
      return JSON.parse(documentOf({ leg, purpose, contactElsewhere: differing, news })).referral;
    };
    for (const purpose of ['referral', 'outcome'] as const) {
      expect(sent(purpose, true).contact_elsewhere).toEqual([
        { id: null, reference: null, contact: null, stricter: true },
      ]);
      expect(JSON.stringify(sent(purpose, true))).not.toMatch(/OTHER-2|man upstairs|He is back/);
      expect(sent(purpose, false)).not.toHaveProperty('contact_elsewhere');
    }
  });

  it('has nothing that the site keeps for itself', () => {
    const full = exampleReferral();
    const content = {
      ...full.content,
      full_copies_since: 3,
      gp_actions_answered: ['referral' as const],
      urgency_not_asked: true as const,
      referrers_details: { 'patient.email': 'old@example.org' },
    };
    for (const leg of ['service', 'gp_practice'] as const) {
      const sent = documentOf({ leg, purpose: 'referral', referral: { ...full, content } });
      expect(sent).not.toMatch(
        /full_copies_since|referrers_details|old@example|gp_actions_answered|urgency_not_asked/,
      );
    }
  });

  it('asks a practice to hide online what its letter hides', () => {
    const full = exampleReferral();
    const shown = (
      agreement: NonNullable<typeof full.content.agreement>,
      purpose: 'referral' | 'outcome',
    ) => {
      const referral = { ...full, content: { ...full.content, agreement } };
      return JSON.parse(documentOf({ leg: 'gp_practice', purpose, referral })).referral;
    };
    for (const purpose of ['referral', 'outcome'] as const) {
      const agreement = { basis: 'competent_child', judged_by: 'Dr Hale' } as const;
      expect(shown(agreement, purpose)).toMatchObject({ do_not_show_online: true });
      expect(shown({ basis: 'person' }, purpose)).not.toHaveProperty('do_not_show_online');
    }
  });

  it('tells a practice nothing of safety, and reasons only once', () => {
    const copy = documentOf({ leg: 'gp_practice', purpose: 'referral' });
    expect(copy).toContain(exampleReferral().content.reasons[0]!.text);
    expect(copy).not.toContain(exampleReferral().content.safety_notes);
    const outcome = documentOf({ leg: 'gp_practice', purpose: 'outcome' });
    const personSays = { at: '2026-12-01T09:30:00.000Z', gotHelp: true };
    const said = documentOf({ leg: 'gp_practice', purpose: 'outcome', personSays });
    const person_page = { got_help: true, got_help_at: personSays.at };
    expect(JSON.parse(said).referral).toMatchObject({ person_page });
    const inCodes = documentOf({ leg: 'gp_practice', purpose: 'outcome', personSays, codesOnly: true });
    expect(inCodes).not.toContain('got_help');
    expect(JSON.parse(outcome).referral).toMatchObject({ status: expect.any(String), consent: {} });
    for (const secret of whatWasSaid) expect(outcome).not.toContain(secret);
  });
});
