import { describe, expect, it } from 'vitest';
import { makeApp } from '../../test/app/make-app.ts';
import { liveEnv } from '../../test/process/live-env.ts';

describe('the site’s description', () => {
  it.each([
    ['test', {}],
    ['live', liveEnv],
  ])('says what a %s site is and what it can do', async (mode, env) => {
    const site = await makeApp({ env: { ...env, ONWARD_SITE_NAME: 'Sarrowby referrals' } });
    try {
      const answer = await site.app.inject('/api/');
      expect(answer.json()).toEqual({
        name: 'Sarrowby referrals',
        mode,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        features: expect.arrayContaining(['events', 'webhooks']),
      });
      expect(answer.json().features.includes('simulator')).toBe(mode === 'test');
    } finally {
      await site.close();
    }
  });
});
