import { describe, expect, it } from 'vitest';
import { responsivenessInWords } from '../../src/library/view/responsiveness-words.ts';
import { reasonsAccepted } from '../../src/referrals/model/status/state-machine.ts';

describe('each reason for declining', () => {
  // “Another reason” tells nobody anything.
  const codes = reasonsAccepted('reject').filter((code) => code !== 'other');

  it.each(codes)('%s has words on the page of a service', (commonest_rejection) => {
    expect(responsivenessInWords({ commonest_rejection })?.text).toMatch(/^Most often declines because /);
  });
});
