import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { changesForPractice, changesForService } from './changes.ts';

describe('why a correction takes away what protects the person', () => {
  const reason = 'She has left him, and says that we may ring.';
  const changes = [
    { field: 'contact', from: { safe: 'no' }, to: { safe: 'yes' } },
    { field: 'reason', from: null, to: reason },
  ];

  it('is in the letter to the service', () => {
    expect(changesForService({ changes } as never)).toContainEqual(['Why', reason]);
  });

  it('is not in the letter to the practice', () => {
    const facts = changesForPractice(exampleReferral(), { changes, purpose: 'referral' } as never);
    expect(JSON.stringify(facts)).not.toContain(reason);
  });
});
