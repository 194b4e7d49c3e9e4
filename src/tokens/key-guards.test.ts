import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGuards } from './key-guards.ts';

const read = (networks: string, idle_days = '') => readGuards({ networks, idle_days });

test('addresses and networks are read one in each line, in one form and each once', () => {
  const lines = ' 192.0.2.7 \r\n\n10.0.0.0/8\n2001:DB8::/48\n192.0.2.7/32\n';
  expect(read(lines, ' 30 ').guards).toEqual({
    networks: ['192.0.2.7', '10.0.0.0/8', '2001:db8::/48'],
    idleDays: 30,
  });
  expect(read('', '').guards).toEqual({ networks: [], idleDays: null });
});

test('a mistake is named by its line, without an echo of it', () => {
  const { guards, errors } = read('10.0.0.0/8\n<script>', '6');
  expect(guards).toBeUndefined();
  expect(errors.map(({ field }) => field)).toEqual(['networks', 'idle_days']);
  expect(errors[0]!.text).toContain('Line 2');
  expect(JSON.stringify(errors)).not.toContain('script');
});

test('there are at most 20, and from 7 to 365 days', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`).join('\n');
  expect(read(lines(20)).guards?.networks.length).toBe(20);
  expect(read(lines(21)).errors[0]!.text).toContain('at most 20');
  for (const days of ['7', '365']) expect(read('', days).guards?.idleDays).toBe(Number(days));
  for (const days of ['6', '366', '0', '-7', '7.5', '1e2', '٣٠', 'never', '9'.repeat(100)])
    expect(read('', days).errors.length, days).toBe(1);
});

test('whatever is typed, it is either guards or mistakes', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (networks, days) => {
      const { guards, errors } = read(networks, days);
      expect(guards === undefined).toBe(errors.length > 0);
    }),
  );
});
