import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../platform/problem/index.ts';
import { readRefreshTokenLimits } from './refresh-token-limits.ts';

const read = (networks: string, idle_days = '') => readRefreshTokenLimits({ networks, idle_days });

/** The errors of the form. */
function faultsOf(...form: Parameters<typeof read>) {
  try {
    read(...form);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors ?? [];
  }
}

describe('the form of the refresh token’s limits', () => {
  it('takes one address or network a line, each kept once', () => {
    const lines = ' 192.0.2.7 \r\n\n10.0.0.0/8\n2001:DB8::/48\n192.0.2.7/32\n';
    expect(read(lines, ' 30 ')).toEqual({
      networks: ['192.0.2.7', '10.0.0.0/8', '2001:db8::/48'],
      idleDays: 30,
    });
    expect(read('', '')).toEqual({ networks: [], idleDays: null });
  });

  it('names the line of a mistake without repeating it', () => {
    const faults = faultsOf('10.0.0.0/8\n<script>', '6');
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/networks', '/idle_days']);
    expect(faults[0]!.message).toContain('Line 2');
    expect(JSON.stringify(faults)).not.toContain('script');
  });

  it('takes at most 20 addresses, and 7 to 365 days', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => `10.0.0.${index}`).join('\n');
    expect(read(lines(20)).networks.length).toBe(20);
    expect(faultsOf(lines(21))[0]!.message).toContain('at most 20');
    for (const days of ['7', '365']) expect(read('', days).idleDays).toBe(Number(days));
    for (const days of ['6', '366', '0', '-7', '7.5', '1e2', '٣٠', 'never', '9'.repeat(100)])
      expect(faultsOf('', days).length, days).toBe(1);
  });

  it('turns any text into limits or mistakes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (networks, days) => {
        if (faultsOf(networks, days).length === 0)
          expect(read(networks, days).networks.length).toBeLessThan(21);
      }),
    );
  });
});
