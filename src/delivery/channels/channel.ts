import type { Connection } from '../../platform/connections/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type {
  ContactElsewhere,
  DeliveryLeg,
  DeliveryPurpose,
  Referral,
  RefusalCause,
} from '../../referrals/index.ts';
import type { Code } from '../letter/codes.ts';
import type { WrittenLetter } from '../letter/letter.ts';
import type { LetterFacts, NewsInLetter } from '../model/delivery.ts';

/** The message of a delivery, the same for every channel. */
export type OutgoingMessage = {
  /** The same in every attempt. Files, emails and calls carry it, so that a receiver recognises a duplicate. */
  id: string;
  deliveryId: string;
  /** The id that the carrying system gave it in an earlier attempt. */
  externalId: string | null;
  /** An operator chose the channel, instead of the receiver's own. */
  chosenByHand: boolean;
  leg: DeliveryLeg;
  purpose: DeliveryPurpose;
  /** When the message became necessary. The same in every attempt. */
  createdAt: Date;
  simulated: boolean;
  /** The service or practice that it goes to. */
  receiver: { name: string; code: string | null };
  /** For channels that send more than text and letter. With `codesOnly`, nothing but codes may go out. */
  referral: Referral;
  codesOnly: boolean;
  /** What other referrals of the person say about contacting them. A practice learns only that one of them asks for more care. */
  contactElsewhere: readonly ContactElsewhere[];
  /** What the referrer has told the service since the referral. */
  news: readonly NewsInLetter[];
  /** The receiver has to do something, as the letter says at its top. */
  forAction: boolean;
  /** What a practice is asked to do in this message. */
  gpActions: Referral['content']['gp_actions'];
  /** Whether the person said that they got help, for a practice that may know. */
  personSays: LetterFacts['personSays'];
  /** The SNOMED CT code under which a practice files the letter; undefined if it has no new one. */
  code: Code | undefined;
  /** Without any detail of the patient, because subjects appear on locked screens and in the logs of mail servers. */
  subject: string;
  text(around: TextAroundLetter): string;
  /** Composed only when a channel needs it. */
  writtenLetter(): WrittenLetter;
  /** The same as a PDF, which takes longer. It has the same bytes each time. */
  letter(): Promise<Buffer>;
};

/** How a channel shows the text of a message, and the lines that it adds to it. */
export type TextAroundLetter = {
  /** Whether the letter goes with the text, so that the text speaks of it. */
  hasLetter: boolean;
  /** Above the link to the referral, which asks people to sign in. Only for the message that tells a service of a referral. */
  beforeLink?: readonly string[];
  /** Below all that the message says, above its reference. */
  atEnd?: readonly string[];
};

/**
 * A message exactly as it goes out: `send` sends it, and a test site shows it instead. Email makes its headers again when it sends, by the
 * same function.
 */
export type RenderedContent = {
  /** An email address, the URL of a system, a mailbox or a file name. */
  address: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  files: readonly RenderedFile[];
};

/** A letter is drawn only when somebody needs it. */
export type RenderedFile = { name: string; type: string } & ({ content: Buffer } | { letter: WrittenLetter });

export type RenderedMessage = { message: OutgoingMessage; rendered: RenderedContent };

/**
 * `sent`: handed over. `received`: the receiver can see it. `detail` says in plain words where it is now. `externalId` is
 * the id that the carrying system gave it.
 */
export type SendResult = { status: 'sent' | 'received'; detail: string; externalId?: string };

/**
 * `retry`: try this channel again later; `away` says that the carrying system is down or has a fault of its own.
 * `permanent`: this channel will never work for this message. `uncertain`: the message went out, and nothing was heard
 * after that, so it may have arrived or not. `held`: the connection refuses this site, so the message waits until it accepts the site
 * again. `detail` is the reason in plain words, and never quotes what was sent. `cause` is what the referrer can check.
 */
export type Failure =
  | { kind: 'retry'; detail: string; away?: boolean }
  | { kind: 'permanent'; detail: string; cause?: RefusalCause | undefined }
  | { kind: 'uncertain'; detail: string }
  | { kind: 'held'; by: Connection; detail: string };

/** A later report about a message, named by our id or by `externalId`. */
export type DeliveryReport = {
  about: { messageId: string } | { externalId: string };
  status: 'received' | 'acknowledged' | 'failed' | 'expired';
  detail: string;
  cause?: RefusalCause | undefined;
};

/** Stores a report, so that its sender may forget it. @returns false when an operator must review it. */
export type HandleReport = (report: DeliveryReport) => Promise<boolean>;

/** A way to reach receivers. `test/delivery/channel-suite.ts` has the tests that every channel must pass. */
export type Channel = {
  readonly name: string;
  /**
   * Whether a message that is sent twice reaches the receiver once, as a file with the same name does. If not, an
   * attempt that a kill interrupted is `uncertain`.
   */
  readonly idempotent: boolean;
  /** Whether receivers can confirm by this channel, so that an operator must be told when they do not. */
  readonly receiverCanConfirm: boolean;
  /** Whether a receiver that has received the message is still expected to confirm it. */
  confirmsAfterReceipt?(leg: DeliveryLeg): boolean;
  /** The connection of all its messages. While it refuses this site, they are held. An idempotent channel has none. */
  readonly connection?: Connection;
  /** The system that sending calls, such as “the mail server”, for the limit of calls to one; undefined when the receiver has no address. */
  systemToCall?(db: Db, about: Pick<OutgoingMessage, 'leg' | 'referral'>): Promise<string | undefined>;
  /**
   * Gives the same for the same message each time, except the time in a signature. Reads only by `db`, which may be an open
   * transaction: a second connection beside it could exhaust the pool. @throws CannotDeliver
   */
  render(db: Db, message: OutgoingMessage): Promise<RenderedContent>;
  /** @throws errors that `classify` understands. */
  send(message: OutgoingMessage, rendered: RenderedContent): Promise<SendResult>;
  /** What went wrong; undefined for an unknown error, which is a bug of this site, and is tried again. */
  classify(error: unknown): Failure | undefined;
  /**
   * Only for a channel that does nothing but change this site's database: sends several messages in the transaction that
   * records them. @returns those that were sent; each of the others must be tried by itself.
   */
  sendTogether?(
    trx: Trx,
    messages: readonly RenderedMessage[],
    at: Date,
  ): Promise<ReadonlyMap<RenderedMessage, SendResult>>;
  /** Asks the carrying system for the status of a message; undefined when that system does not know the message. */
  track?(message: Pick<OutgoingMessage, 'id' | 'externalId'>): Promise<SendResult | undefined>;
  /** Fetches waiting reports, every few minutes, on a live site only. @returns false when this site has nothing to poll. */
  poll?(handle: HandleReport): Promise<boolean>;
};

/** This channel cannot reach this receiver from this site. The message is the reason in plain words. */
export class CannotDeliver extends Error {
  override name = 'CannotDeliver';
}

/** The name and type of a letter that is sent as a file. */
export const letterFile = { name: 'letter.pdf', type: 'application/pdf' } as const;

/** For channels that send only the text and the letter. */
export function renderLetterAlone(message: OutgoingMessage, address: string): RenderedContent {
  const files = [{ ...letterFile, letter: message.writtenLetter() }];
  return { address, headers: {}, body: message.text({ hasLetter: true }), files };
}

/** The content of a file of this message. */
export async function fileContent(
  message: Pick<OutgoingMessage, 'letter'>,
  file: RenderedFile,
): Promise<Buffer> {
  return 'letter' in file ? message.letter() : file.content;
}
