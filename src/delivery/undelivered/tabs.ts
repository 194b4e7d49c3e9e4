import type { Db } from '../../platform/database/index.ts';
import { countOpenRows, type OpenCounts } from './causes/open-rows-store.ts';

const path = '/operator/deliveries';

export type UndeliveredTab = { name: string; text: string; href: string; count?: number; isHere: boolean };

/** The lists that operators work on, side by side: messages that did not arrive, and messages that nobody could place. */
export function undeliveredTabs(
  { all, mine, pressing, unmatched }: OpenCounts & { unmatched: number },
  here: string,
): UndeliveredTab[] {
  const tab = (name: string, text: string, href: string, count?: number) => ({
    name,
    text,
    href,
    ...(count !== undefined && { count }),
    isHere: name === here,
  });
  return [
    tab('causes', 'By cause', path),
    tab('pressing', 'Urgent or at risk', `${path}?show=pressing`, pressing),
    tab('all', 'All undelivered', `${path}?show=all`, all),
    tab('mine', 'Mine', `${path}?show=mine`, mine),
    tab('unmatched', 'Unmatched', `${path}/unmatched`, unmatched),
    tab('closed', 'Resolved', `${path}?show=closed`),
  ];
}

/** The same for a page of the list of what could not be matched. */
export async function tabsWithUnmatched(
  db: Db,
  accountId: string,
  unmatched: number,
): Promise<UndeliveredTab[]> {
  return undeliveredTabs({ ...(await countOpenRows(db, accountId)), unmatched }, 'unmatched');
}
