import { describe, expect, test } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import type { Message } from '../channel.ts';
import { buildLocalDocument } from './render.ts';

const documentOf = (given: Pick<Message, 'receiverKind' | 'purpose'>) => {
  const message = { id: 'm1', createdAt: new Date(0), simulated: true, codesOnly: false, ...given };
  const whole = { ...message, referral: exampleReferral() } as Message;
  return buildLocalDocument(whole, 'http://localhost', Buffer.from('%PDF'));
};

describe('the document of a local workflow', () => {
  test('has everything at first, and at the end only who it was', () => {
    const { content } = exampleReferral();
    const referral = documentOf({ receiverKind: 'service', purpose: 'referral' });
    expect(referral).toContain(content.safety_notes);
    const ended = documentOf({ receiverKind: 'service', purpose: 'outcome' });
    expect(JSON.parse(ended).referral.patient.family_name).toBe(content.patient.family_name);
    for (const secret of [content.safety_notes, content.reasons[0]!.text, content.support_offered]) {
      expect(ended).not.toContain(secret);
    }
    expect(documentOf({ receiverKind: 'gp_practice', purpose: 'referral' })).not.toContain(
      content.safety_notes,
    );
  });
});
