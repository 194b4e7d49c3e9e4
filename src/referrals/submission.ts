import type { Caller } from '../accounts/index.ts';
import type { NewDraft, NewReferral } from './new-referral-schema.ts';

/** A referral, or a draft of one, as somebody sends it. */
export type Submission = {
  input: NewReferral | NewDraft;
  address: string;
  /** Makes a repeated request safe: it is answered as the first was. */
  idempotencyKey?: string | undefined;
};

export type Asked = Submission & { caller: Caller };
