import { describe, expect, it } from 'vitest';
import type { DeliveryStatus } from '../../../model/deliveries.ts';
import type { PresentedReferral } from '../../../model/presentation/present.ts';
import { describeDeliveries } from './delivery-words.ts';

const at = '2026-11-21T09:30:00.000Z';

function told(status: DeliveryStatus, more: object = {}, referral: object = {}) {
  const delivery = {
    leg: 'gp_practice',
    purpose: 'referral',
    channel: null,
    status,
    updated_at: at,
    ...more,
  };
  const service = { name: 'The Warm Room', organization_name: 'The Weir House Trust' };
  const gp_practice = { ods_code: 'Z99001', name: 'Infirmary Lane Surgery' };
  const all = { service, gp_practice, deliveries: [delivery], ...referral };
  return describeDeliveries(all as unknown as PresentedReferral)[0]!;
}

describe('who has been told', () => {
  it('names a letter, an inbox message and an answer', () => {
    const letter = told('sent', { channel: 'document' });
    expect(letter).toMatchObject({
      who: 'Infirmary Lane Surgery',
      what: 'letter sent',
      at,
      notDelivered: false,
    });
    const inbox = told('received', { leg: 'service', channel: 'inbox' });
    expect(inbox).toMatchObject({ who: 'The Weir House Trust', what: 'delivered', at });
    expect(told('acknowledged', { leg: 'service' }).what).toBe('answered');
  });

  it('says on a test site that a message would have been delivered', () => {
    const simulated = { simulated: true };
    const what = (status: DeliveryStatus, channel: string) => told(status, { channel }, simulated).what;
    expect(what('received', 'email')).toBe('would have been delivered: this is a test site');
    expect(what('sent', 'document')).toBe('would have been sent: this is a test site');
    expect(told('received', { channel: 'email' }, simulated)).not.toHaveProperty('at');
    expect(what('received', 'inbox')).toBe('delivered');
  });

  it('has times only for what happened; marks undelivered ones', () => {
    for (const status of ['queued', 'sending', 'suppressed'] as const)
      expect(told(status)).not.toHaveProperty('at');
    for (const status of ['failed', 'expired', 'uncertain'] as const)
      expect(told(status).notDelivered).toBe(true);
  });

  it('gives the consent as the reason to the two sides alone', () => {
    const consent = { share_with_gp: false };
    expect(told('suppressed', {}, { consent }).what).toBe('not told, because the person did not agree');
    expect(told('suppressed', {}, { gp_practice: null }).what).toBe(
      'not told, because no GP practice was named',
    );
    expect(told('suppressed').what).toBe('not told, because it is not to be sent');
  });

  it('names what the referrer has to check with the person', () => {
    const refused_because = 'nhs-number-not-recognised';
    const elsewhere = told('sent', { channel: 'document', refused_because });
    expect(elsewhere).toMatchObject({ what: 'letter sent', notDelivered: false });
    expect(elsewhere.toCheck).toContain('did not recognise the NHS number');
    expect(elsewhere.toCheck).toContain('with the person');
    expect(told('sent', { refused_because: null })).not.toHaveProperty('toCheck');
  });

  it('says that the practice sent the letter back', () => {
    const line = told('failed', { refused_because: 'not-their-patient' });
    expect(line).toMatchObject({
      what: 'sent the letter back: the person is not its patient',
      notDelivered: true,
    });
    expect(line.toCheck).toContain('where they are registered');
  });

  it('says that a letter stopped after a try may have arrived', () => {
    const consent = { share_with_gp: false };
    expect(told('suppressed', { may_have_arrived: true }, { consent }).what).toBe(
      'it may have arrived: nobody knows. Not sent again, because the person did not agree',
    );
  });

  it('gives for a letter to a service no reason of the practice', () => {
    const why = (status: string) =>
      told('suppressed', { leg: 'service' }, { status, gp_practice: null, consent: { share_with_gp: false } })
        .what;
    expect(why('entered-in-error')).toBe('not told, because the referral was made in error');
    expect(why('cancelled')).toBe('not told, because the referral ended before it was sent');
    expect(why('accepted')).toBe('not told, because a newer letter took its place');
  });

  it('gives letters to other practices and removals a reason', () => {
    const consent = { share_with_gp: false };
    expect(told('suppressed', { practice_code: 'Z99002' }, { consent }).what).toBe(
      'not told, because another practice was named',
    );
    expect(told('suppressed', { purpose: 'removal', practice_code: 'Z99002' }, { consent }).what).toBe(
      'not asked, because it need not remove anything',
    );
    expect(told('suppressed', {}, { status: 'entered-in-error' }).what).toBe(
      'not told, because the referral was made in error',
    );
  });

  it('lists each receiver once, with its latest letter first', () => {
    const delivery = (leg: string, purpose: string, code: string | null = null) => ({
      leg,
      purpose,
      practice_code: code,
      practice: code && `Practice ${code}`,
      status: 'queued',
      updated_at: at,
    });
    const deliveries = [
      delivery('gp_practice', 'referral', 'Z99001'),
      delivery('service', 'referral'),
      delivery('gp_practice', 'referral', 'Z99001'),
      delivery('gp_practice', 'outcome', 'Z99001'),
      delivery('gp_practice', 'referral', 'Z99002'),
    ];
    const referral = { service: { name: 'S', organization_name: null }, gp_practice: null, deliveries };
    const lines = describeDeliveries(referral as unknown as PresentedReferral).map(
      ({ who, about, earlier }) => [who, about, ...earlier.map((each) => each.about)],
    );
    expect(lines).toEqual([
      ['S', 'about the referral'],
      ['Practice Z99001', 'about how it ended', 'about a change to the referral', 'about the referral'],
      ['Practice Z99002', 'about the referral'],
    ]);
  });
});
