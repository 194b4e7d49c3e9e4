import { dayMs } from '../../platform/durations.ts';

/** A request of a developer of a client system to the operators. */
export type DeveloperRequest = {
  id: string;
  accountId: string;
  accountName: string;
  accountEmail: string;
  organisationName: string | null;
  /** The reason, in the developer's words. */
  reason: string;
  madeAt: Date;
  answeredAt: Date | null;
  granted: boolean | null;
  /** The account that was made for the request; null before that, and for a return address. */
  grantedAccountId: string | null;
} & (RequestedReturnAddress | RequestedAccount);

type RequestedReturnAddress = { kind: 'return-address'; address: string };

/** A second account on a test site: a colleague who refers as well, or staff of a service. */
export type RequestedAccount = {
  kind: 'test-account';
  name: string;
  email: string;
  role: 'referrer' | 'provider';
  /** The organisation of the library that a provider answers for. A referrer gets the organisation of the developer. */
  organizationId: string | null;
};

export type RequestContent = RequestedReturnAddress | RequestedAccount;

/** Open requests of one account. */
export const maxOpenRequests = 10;

/** How long a request is kept after it was made, answered or not. */
export const requestsKeptMs = 90 * dayMs;
