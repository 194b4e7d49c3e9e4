import type { Leg, Purpose } from '../delivery.ts';

/** What is to be told, the same for every channel. */
export type Message = {
  /** The same in every attempt: files, e-mails and calls are named by it, so that a receiver notices a repetition. */
  id: string;
  deliveryId: string;
  referralId: string;
  leg: Leg;
  purpose: Purpose;
  recipient: { name: string; code: string | null };
  /** Without any detail of the patient: subjects are shown on locked screens and kept in mail servers' logs. */
  subject: string;
  text: string;
  /** Made only for a channel that asks for it. The same bytes each time. */
  letter(): Promise<Buffer>;
};

/** `sent`: handed over. `received`: the receiver has it before them. `detail` says in plain words where it is now. */
type Sent = { status: 'sent' | 'received'; detail: string };

/**
 * A way to a receiver. `test/delivery/channel-suite.ts` holds what each must keep to: above all, that sending the same message again
 * tells the receiver nothing twice.
 */
export type Channel = {
  readonly name: string;
  /** @throws PermanentFailure, RetryableFailure, or anything else for what nobody foresaw, which is tried again too. */
  send(message: Message): Promise<Sent>;
};

/** This channel cannot reach this receiver, now or later; the message is its reason, in plain words. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure';
}

/** It did not work this time; the message says why, in plain words. */
export class RetryableFailure extends Error {
  override name = 'RetryableFailure';
}
