import {
  findPractices,
  findServicesForReferral,
  type KnownPractice,
  listUnattendedServices,
  type ServiceForReferral,
} from '../../../library/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { takesNoReferrals } from '../../model/problems.ts';
import type { DraftInput } from '../../model/schemas/new-referral.ts';

/** What the library knows about the services and practices that the inputs name. */
export type Lookups = {
  readonly services: ReadonlyMap<string, ServiceForReferral>;
  readonly practices: ReadonlyMap<string, KnownPractice>;
  /** The ids of services whose referrals nobody would read. On a test site the simulator answers for every service. */
  readonly unattended: ReadonlySet<string>;
};

export async function loadLookups(
  trx: Trx,
  { settings }: ReferralDeps,
  inputs: readonly DraftInput[],
): Promise<Lookups> {
  const services = distinct(inputs.map(({ service_id }) => service_id));
  const practices = distinct(inputs.map(practiceCodeOf));
  const isLive = settings.mode === 'live';
  return {
    services: services.length > 0 ? await findServicesForReferral(trx, services) : new Map(),
    practices: practices.length > 0 ? await findPractices(trx, practices) : new Map(),
    unattended: isLive && services.length > 0 ? await listUnattendedServices(trx, services) : new Set(),
  };
}

export function practiceCodeOf({ gp_practice }: DraftInput): string | undefined {
  return gp_practice?.ods_code?.toUpperCase();
}

function distinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

export const noSuchService = {
  pointer: '/service_id',
  message: 'is not a service in this library',
  code: 'no-such-service',
};

/** The errors that stop a service from taking a referral. Empty if it takes them. */
export function serviceErrors(
  lookups: Pick<Lookups, 'unattended'>,
  service: ServiceForReferral | undefined,
): FieldError[] {
  if (!service) return [noSuchService];
  const error = (code: string, message: string) => [{ pointer: '/service_id', message, code }];
  if (service.status !== 'active')
    return error('inactive-service', 'is a service that is not active at present');
  if (!service.accepts) return error('takes-no-referrals', takesNoReferrals);
  if (service.channels.length === 0)
    return error('no-channel', 'is a service that has no way to receive referrals yet');
  if (lookups.unattended.has(service.id))
    return error(
      'unattended-service',
      'is a service that has no way to receive referrals yet: nobody who runs it has an account here, and it has no other channel',
    );
  return [];
}
