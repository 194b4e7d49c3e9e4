import type { Db, Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DeliverySummary, LetterReceiver } from './deliveries.ts';
import type { Draft, Referral, ReferralStatus, StatusReason } from './referral.ts';
import type { Side } from './status/state-machine.ts';

export type ReferralDeps = Platform & { readonly roomsAbove: RoomsAbove };

/**
 * The rooms above, as a referral calls them: rooms of `src/`, and two folders of this one (`notifications`, `person-page`). `makeRoomsAbove`
 * in `site/rooms-above.ts` puts them together. What changes a referral imports none of them, and no referral is stored without its
 * deliveries and events.
 */
export type RoomsAbove = Required<ReferralListener> & ReferralKnowledge;

/** What one room does about a change of a referral, inside the transaction that makes it. A room has only the functions that it needs. */
export type ReferralListener = {
  /** All changes of status of one transaction. */
  onStatusChange?(trx: Trx, changes: readonly StatusChange[]): Promise<void>;
  /** The content of a referral changed, but not its status. */
  onContentChange?(trx: Trx, change: ContentChange): Promise<void>;
  /** One side wrote to the other. */
  onMessage?(trx: Trx, message: NewMessage): Promise<void>;
  /** One side attached a file. */
  onFile?(trx: Trx, file: NewFile): Promise<void>;
  /** A file was removed that was attached by mistake or has a virus. */
  onFileRemoved?(trx: Trx, file: ChangedFile): Promise<void>;
  /** A file’s content and name are being deleted, of a draft as well, so no stored copy of the record may still have them. */
  onFileDeleted?(trx: Trx, file: { referralId: string; attachmentId: string; at: Date }): Promise<void>;
  /**
   * Staff of the service logged a contact with the person or changed an appointment, or a side added measures; or the person’s own page was
   * sent or ended, or the person said something on it.
   */
  onFollowUp?(trx: Trx, followUp: FollowUp): Promise<void>;
  /**
   * A referral or draft is about to be erased: a room that counts it in figures writes them now. With `isUnlawful` it keeps nothing: the
   * record should never have been made (UK GDPR, article 17(1)(d)).
   */
  onErasing?(trx: Trx, referralId: string, erasing: { isUnlawful: boolean }): Promise<void>;
  /** A referral was restricted, unrestricted or erased; the same must happen to its deliveries. */
  onRecordChange?(trx: Trx, change: RecordChange): Promise<void>;
  /** A reported death holds the referral up no more: the person is alive, or it had ended before. Its messages that waited are sent. */
  onDeathHoldLifted?(trx: Trx, referralId: string): Promise<void>;
  /** The referrer says whether an ending by link is right. If it is, the GP practice is told now. */
  onEndingChecked?(trx: Trx, referralId: string, checked: { isRight: boolean; at: Date }): Promise<void>;
};

/** What the rooms above know about referrals. */
type ReferralKnowledge = {
  /** Whether a last name chooses a story of the simulator. On a live site none does. */
  isStoryName(familyName: string): boolean;
  /** Who has been told of a referral, or may have been, oldest first. */
  listLetterReceivers(db: Db, referralId: string): Promise<LetterReceiver[]>;
  /** How somebody ended the referral by the link in an email to its service; null if nobody did, or the referrer has checked it. */
  findEndingByLink(db: Db, referralId: string): Promise<EndedByLink | null>;
  /** The deliveries of these referrals, oldest first, by the referral's id. */
  loadDeliverySummaries(db: Db, referralIds: readonly string[]): Promise<Map<string, DeliverySummary[]>>;
};

/** What a referral was before somebody ended it. */
export type BeforeEnd = Pick<Referral, 'status'> & {
  reason: StatusReason | null;
  expectedDate: string | null;
  nextDate: string | null;
};

/** `holdsLetter`: a letter to the practice waits until the referrer has checked the ending, or had the time for it. */
export type EndedByLink = { at: Date; before: BeforeEnd; holdsLetter: boolean };

/** The site itself rejects a referral that nobody answers in time. */
export type ChangedBy = Side | 'site';

export type StatusChange = {
  referral: Referral;
  /** Null for a new referral. */
  from: ReferralStatus | null;
  by: ChangedBy;
  /** The account that made the change; null for the site itself. */
  actorId: string | null;
  at: Date;
};

export type ContentChange = {
  referral: Referral;
  /** The referral as it was before the change. */
  before: Referral;
  /**
   * `death-reported`, `death-confirmed` and `death-undone`: somebody told of a death, confirmed it when the referral had already
   * ended, or took it back before it was confirmed. None of these three makes a letter.
   * `transfer`: it is with another service of the same organisation.
   * `reopened`: a death was taken back after it was confirmed, and the referral is what it was before.
   */
  kind:
    | 'correction'
    | 'agreement'
    | 'things-have-changed'
    | 'transfer'
    | 'death-reported'
    | 'death-confirmed'
    | 'death-undone'
    | 'reopened';
  /** The side that made the change. Null for what was told of a death: it may come from neither side, and is news for both. */
  by: Side | null;
  /** Why a referral was transferred. */
  reason?: string;
  /** The referral ends in the same transaction, and the letters and emails about that have this change, too. */
  endFollows?: boolean | undefined;
  actorId: string | null;
  at: Date;
};

type NewMessage = {
  referral: Referral;
  messageId: string;
  text: string;
  side: Side;
  actorId: string | null;
  at: Date;
};

export type ChangedFile = { referral: Referral; attachmentId: string; at: Date };

type NewFile = ChangedFile & { name: string; side: Side; actorId: string | null };

type FollowUp = {
  referral: Referral;
  at: Date;
} /** `text`: the note of the contact, or the place of the appointment, that is new. */ & (
  | { kind: 'contact' | 'appointment'; text: string | undefined }
  | { kind: 'person-page' }
  /** `before`: the referral without the measures that were added. */
  | { kind: 'measures'; before: Referral }
);

export type RecordChange = {
  referral: Referral | Draft;
  kind: 'restricted' | 'unrestricted' | 'erased';
  at: Date;
};
