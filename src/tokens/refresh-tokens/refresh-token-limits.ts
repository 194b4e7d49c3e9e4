import { readNetwork } from '../../platform/ip-addresses/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { RefreshTokenLimits } from './refresh-tokens-store.ts';

/** The limits as somebody typed them into the form. */
export type RefreshTokenLimitsForm = { readonly networks: string; readonly idle_days: string };

export const maxNetworks = 20;
export const idleDays = { min: 7, max: 365 } as const;

/**
 * Reads the form: one address or network in each line, and a number of days, or nothing for never.
 * @throws Problem `unprocessable` with everything that is wrong.
 */
export function readRefreshTokenLimits(form: RefreshTokenLimitsForm): RefreshTokenLimits {
  const parsed = parseRefreshTokenLimits(form);
  if ('errors' in parsed) throw new Problem(unprocessable, undefined, { errors: parsed.errors });
  return parsed.limits;
}

/** @returns the limits, or everything that is wrong with the form. */
export function parseRefreshTokenLimits(
  form: RefreshTokenLimitsForm,
): { limits: RefreshTokenLimits } | { errors: FieldError[] } {
  const networks = readNetworks(form.networks);
  const days = readIdleDays(form.idle_days.trim());
  const errors: FieldError[] = [];
  if ('error' in networks) errors.push({ pointer: '/networks', message: networks.error });
  if ('error' in days) errors.push({ pointer: '/idle_days', message: days.error });
  return 'error' in networks || 'error' in days ? { errors } : { limits: { ...networks, ...days } };
}

function readNetworks(text: string): { networks: string[] } | { error: string } {
  const networks = new Set<string>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const network = readNetwork(line.trim());
    if (network === undefined)
      return {
        error: `Line ${index + 1} must be an address such as 192.0.2.7, or a network such as 192.0.2.0/24 or 2001:db8::/48`,
      };
    networks.add(network);
  }
  return networks.size > maxNetworks
    ? { error: `Enter at most ${maxNetworks} addresses and networks` }
    : { networks: [...networks] };
}

function readIdleDays(text: string): { idleDays: number | null } | { error: string } {
  if (text === '') return { idleDays: null };
  const { min, max } = idleDays;
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return days >= min && days <= max
    ? { idleDays: days }
    : { error: `Days must be a whole number from ${min} to ${max}, or left empty` };
}
