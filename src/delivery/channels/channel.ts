import type { Connection } from '../../platform/connections/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Referral } from '../../referrals/index.ts';
import type { WrittenLetter } from '../letter/letter.ts';
import type { Purpose, ReceiverKind } from '../model/delivery.ts';

/** What is to be told, the same for every channel. */
export type Message = {
  /** The same in every attempt: files, emails and calls are named by it, so that a receiver notices a repetition. */
  id: string;
  deliveryId: string;
  /** What the system that carries it called it in an earlier attempt. */
  externalId: string | null;
  /** An operator chose the way, in the place of the receiver's own. */
  chosenByHand: boolean;
  receiverKind: ReceiverKind;
  purpose: Purpose;
  /** When it became necessary; the message says so in every attempt. */
  createdAt: Date;
  simulated: boolean;
  recipient: { name: string; code: string | null };
  /** For channels that send more than text and letter. Where `codesOnly`, nothing of it may go out but codes. */
  referral: Referral;
  codesOnly: boolean;
  /** Without any detail of the patient: subjects are shown on locked screens and kept in mail servers' logs. */
  subject: string;
  text: string;
  /** Made only for a channel that asks for it. */
  writtenLetter(): WrittenLetter;
  /** The same drawn, which takes long. The same bytes each time. */
  letter(): Promise<Buffer>;
};

/** A message exactly as it goes out: what `send` sends, and what a test site shows in its place. */
export type Rendered = {
  /** Where to: an email address, the address of a system, a mailbox, a file. */
  address: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  files: readonly RenderedFile[];
};

/** A letter is drawn no sooner than somebody needs it. */
export type RenderedFile = { name: string; type: string } & ({ content: Buffer } | { letter: WrittenLetter });

export type RenderedMessage = { message: Message; rendered: Rendered };

/**
 * `sent`: handed over. `received`: the receiver has it before them. `acknowledged`: they said so. `detail` says in plain
 * words where it is now, and `externalId` what the system that carries it calls it.
 */
export type Sent = { status: 'sent' | 'received' | 'acknowledged'; detail: string; externalId?: string };

/**
 * `retry`: not this time; `away` says that the system which carries it is in trouble itself. `permanent`: not this way.
 * `uncertain`: it may have arrived or not, because nothing was heard after it had gone out. `held`: this site is refused,
 * not the message, which waits until the connection accepts the site again. `detail` is the reason in plain words, and
 * never quotes what was sent.
 */
export type Failure =
  | { kind: 'retry'; detail: string; away?: boolean }
  | { kind: 'permanent'; detail: string }
  | { kind: 'uncertain'; detail: string }
  | { kind: 'held'; by: Connection; detail: string };

/** What was heard of a message later, named by our id or by `externalId`. */
export type DeliveryReport = {
  about: { messageId: string } | { externalId: string };
  status: 'received' | 'acknowledged' | 'failed' | 'expired';
  detail: string;
};

/** Stores it; when that resolves it is safe to tell the sender that it was taken. @returns false where somebody is to look at it. */
export type HandleReport = (news: DeliveryReport) => Promise<boolean>;

/** A way to a receiver. `test/delivery/channel-suite.ts` holds what each must keep to. */
export type Channel = {
  readonly name: string;
  /**
   * Whether sending the same message again is sure to tell nothing twice, as with a file of the same name. Otherwise an
   * attempt that a kill cut short is `uncertain`.
   */
  readonly repeatable: boolean;
  /** Whether receivers can confirm by this channel, so that somebody must be told when they do not. */
  readonly confirms: boolean;
  /** Whether a receiver that is known to have a message still has something to confirm by this channel. */
  confirmsReceived?(receiverKind: ReceiverKind): boolean;
  /** What all its messages go through. While that refuses this site, they are held. */
  readonly connection?: Connection;
  /**
   * Whose system sending speaks to; there is none for a channel that speaks to nobody's. Undefined for a receiver that it
   * knows no way to.
   */
  receiver?(db: Db, about: Pick<Message, 'receiverKind' | 'referral'>): Promise<string | undefined>;
  /** The same message gives the same one each time. @throws NoWay */
  render(message: Message): Promise<Rendered>;
  /** @throws whatever goes wrong, which `classify` understands. */
  send(message: Message, rendered: Rendered): Promise<Sent>;
  /** What went wrong; undefined for what nobody foresaw, which is a fault of this site and tried again. */
  classify(error: unknown): Failure | undefined;
  /**
   * Only for a channel that does nothing but change this site's database: sends several messages in the transaction that
   * records them. @returns those that were sent; each of the others must be tried by itself.
   */
  sendTogether?(
    trx: Trx,
    messages: readonly RenderedMessage[],
    at: Date,
  ): Promise<ReadonlyMap<RenderedMessage, Sent>>;
  /** Asks the system that carries it what became of a message; undefined where it knows of none. */
  track?(message: Pick<Message, 'id' | 'externalId'>): Promise<Sent | undefined>;
  /**
   * Fetches what was heard since the last time: every few minutes, on a live site alone. @returns false where this site
   * has nothing to ask.
   */
  poll?(tell: HandleReport): Promise<boolean>;
};

/** This channel has no way to this receiver, as this site is set up; the message is the reason in plain words. */
export class CannotDeliver extends Error {
  override name = 'NoWay';
}

/** What a letter is called that goes as a file. */
export const letterName = { name: 'letter.pdf', type: 'application/pdf' } as const;

/** For channels whose message is the letter, with nothing around it but the text. */
export function renderLetterAlone(message: Message, address: string): Rendered {
  const files = [{ ...letterName, letter: message.writtenLetter() }];
  return { address, headers: {}, body: message.text, files };
}

/** What is in a file that goes with this message. */
export async function contentOf(message: Pick<Message, 'letter'>, file: RenderedFile): Promise<Buffer> {
  return 'letter' in file ? message.letter() : file.content;
}
