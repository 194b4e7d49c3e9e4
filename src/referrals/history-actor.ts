import { type Caller, theSite } from '../accounts/index.ts';

/** Who changed a referral, as its history names them for ever. */
export type HistoryActor = { id: string | null; name: string; organisation: string | null };

export function historyActorOf({ accountId, name, organisation }: Caller): HistoryActor {
  return { id: accountId, name, organisation: organisation?.name ?? null };
}

/** What the site does by itself. */
export const siteAsHistoryActor: HistoryActor = { id: null, name: theSite.name, organisation: null };
