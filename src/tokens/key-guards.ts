import { readNetwork } from '../platform/addresses/index.ts';
import { type FieldError, Problem, unprocessable } from '../platform/problem/index.ts';

/** What the holder of an account allows its refresh token, and the access tokens that come from it. */
export type KeyGuards = {
  /** From where they may be used; empty is from anywhere. */
  readonly networks: readonly string[];
  /** After how many days without a refresh the refresh token stops working; null is never. */
  readonly idleDays: number | null;
};

/** The guards as they are typed into the form. */
export type GuardsForm = { readonly networks: string; readonly idle_days: string };

const mostNetworks = 20;
const idleDays = { least: 7, most: 365 } as const;

/**
 * Reads the form: one address or network in each line; days, or nothing for never.
 * @throws Problem `unprocessable` with everything that is wrong.
 */
export function readGuards(form: GuardsForm): KeyGuards {
  const networks = readNetworks(form.networks);
  const days = readIdleDays(form.idle_days.trim());
  const errors: FieldError[] = [];
  if (typeof networks === 'string') errors.push({ pointer: '/networks', message: networks });
  if (typeof days === 'string') errors.push({ pointer: '/idle_days', message: days });
  if (typeof networks === 'string' || typeof days === 'string')
    throw new Problem(unprocessable, undefined, { errors });
  return { networks, idleDays: days };
}

/** @returns the networks, or what is wrong with them. */
function readNetworks(text: string): string[] | string {
  const networks = new Set<string>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const network = readNetwork(line.trim());
    if (network === undefined)
      return `Line ${index + 1} must be an address such as 192.0.2.7, or a network such as 192.0.2.0/24 or 2001:db8::/48`;
    networks.add(network);
  }
  return networks.size > mostNetworks
    ? `Enter at most ${mostNetworks} addresses and networks`
    : [...networks];
}

/** @returns the days, or what is wrong with them. */
function readIdleDays(text: string): number | null | string {
  if (text === '') return null;
  const { least, most } = idleDays;
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return days >= least && days <= most
    ? days
    : `Days must be a whole number from ${least} to ${most}, or left empty`;
}
