import type { Visibility } from '../../model/access/sides.ts';
import type { ReferralStatus } from '../../model/referral.ts';

/** What a worklist shows. */
export type WorklistFilter = {
  /** Which referrals the caller may see at all. */
  visibility: Visibility;
  accountId: string;
  /** As whom the caller reads it. */
  side: 'provider' | 'referrer' | 'operators';
  /** Only these statuses; all if it is left out. */
  statuses?: readonly ReferralStatus[] | undefined;
  /** Only what needs the reader, whatever its status. */
  needsActionOnly?: boolean;
  /** Of the referrals that need the reader, only those with this reason. */
  reasonToAct?: ReasonToAct | undefined;
  serviceId?: string | undefined;
  /** Only these, which were found by words. */
  ids?: readonly string[] | undefined;
  /** Only those that the account looks after; of those that nobody looks after, the ones that it made. */
  mineOnly?: boolean | undefined;
  /** Only those that this colleague looks after. */
  ownerId?: string | undefined;
  /** Only those that this organisation made. */
  referrerOrganisationId?: string | undefined;
  /** Only open ones that are urgent or overdue; of those that need the reader, also ended ones. */
  urgentOnly?: boolean | undefined;
  overdueOnly?: boolean | undefined;
  /** Only those with news that nobody of the reader's side has seen, whatever their status. */
  unreadOnly?: boolean | undefined;
  /** Left out, what needs somebody comes first. */
  sort?: WorklistSort | undefined;
  now: Date;
  /** The day in London. */
  today: string;
};

/** The columns that have an index for each list. There is no sort by service: its order would tell a colleague which sensitive service it is. */
export type WorklistSort = { by: 'due' | 'made'; direction: 'asc' | 'desc' };

/** Why a referral needs somebody. */
export type ReasonToAct =
  | 'draft'
  /** It ended without help. */
  | 'unhelped'
  /** It is pressing, and nobody of the service has opened it. */
  | 'not-opened-in-time'
  | 'prompt'
  | 'reported-death'
  /** Something has to be done for the GP practice. */
  | 'gp-action'
  | 'news-or-question'
  /** The service ended it by link, and the referrer can still say that this was a mistake. */
  | 'ending-to-check'
  | 'overdue'
  /** Its day of a colleague’s own reminder has come. */
  | 'reminder';
