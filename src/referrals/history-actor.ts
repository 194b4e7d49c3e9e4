import type { Caller } from '../accounts/index.ts';

/** Who changed a referral, as its history names them for ever. */
export type HistoryActor = { id: string; name: string; organisation: string | null };

export function historyActorOf({ accountId, name, organisation }: Caller): HistoryActor {
  return { id: accountId, name, organisation: organisation?.name ?? null };
}
