import { expect, test } from 'vitest';
import { whoWasTold } from './delivery-words.ts';
import type { DeliveryStatus } from './listener.ts';
import type { PresentedReferral } from './present.ts';

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
  return whoWasTold(all as unknown as PresentedReferral)[0]!;
}

test('a letter, a message in the inbox and an answer are said as what they are', () => {
  const letter = told('sent', { channel: 'document' });
  expect(letter).toMatchObject({ who: 'Infirmary Lane Surgery', what: 'letter sent', at, stuck: false });
  const inbox = told('received', { leg: 'service', channel: 'inbox' });
  expect(inbox).toMatchObject({ who: 'The Weir House Trust', what: 'received', at });
  expect(told('acknowledged', { leg: 'service' }).what).toBe('answered');
});

test('nothing that has not happened has a time, and what is stuck says so', () => {
  for (const status of ['queued', 'sending', 'suppressed'] as const)
    expect(told(status)).not.toHaveProperty('at');
  for (const status of ['failed', 'expired', 'uncertain'] as const) expect(told(status).stuck).toBe(true);
});

test('why a practice is not told is said, but what the person agreed to only to the two sides', () => {
  const consent = { share_with_gp: false };
  expect(told('suppressed', {}, { consent }).what).toBe('not told, because the person did not agree');
  expect(told('suppressed', {}, { gp_practice: null }).what).toBe(
    'not told, because no GP practice was named',
  );
  expect(told('suppressed').what).toBe('not told, because it is not to be sent');
});

test('the service comes before the practice, and the referral before its outcome', () => {
  const delivery = (leg: string, purpose: string) => ({ leg, purpose, status: 'queued', updated_at: at });
  const deliveries = [
    delivery('gp_practice', 'outcome'),
    delivery('gp_practice', 'referral'),
    delivery('service', 'referral'),
  ];
  const referral = { service: { name: 'S', organization_name: null }, gp_practice: null, deliveries };
  const lines = whoWasTold(referral as unknown as PresentedReferral).map(
    ({ who, about }) => `${who} ${about}`,
  );
  expect(lines).toEqual([
    'S about the referral',
    'The GP practice about the referral',
    'The GP practice about how it ended',
  ]);
});
