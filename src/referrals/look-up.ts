import {
  findPractices,
  findServicesForReferral,
  type KnownPractice,
  listUnanswered,
  type ServiceForReferral,
} from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import type { DraftInput } from './new-referral-schema.ts';

/** What the library says of the services and practices that referrals name. */
export type Known = {
  readonly services: ReadonlyMap<string, ServiceForReferral>;
  readonly practices: ReadonlyMap<string, KnownPractice>;
  /** The ids of services whose referrals nobody would get. On a test site the simulator answers for everybody. */
  readonly unanswered: ReadonlySet<string>;
};

export async function lookUp({ mode }: Settings, db: Db, inputs: readonly DraftInput[]): Promise<Known> {
  const services = named(inputs.map(({ service_id }) => service_id));
  const practices = named(inputs.map(practiceCodeOf));
  return {
    services: services.length > 0 ? await findServicesForReferral(db, services) : new Map(),
    practices: practices.length > 0 ? await findPractices(db, practices) : new Map(),
    unanswered: mode === 'live' && services.length > 0 ? await listUnanswered(db, services) : new Set(),
  };
}

export function practiceCodeOf({ gp_practice }: DraftInput): string | undefined {
  return gp_practice?.ods_code?.toUpperCase();
}

function named(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))];
}
