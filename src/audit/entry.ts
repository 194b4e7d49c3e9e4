/** Who did what to what, when, from where, and how it ended. Never a secret, never a patient's detail. */
export type AuditEntry = {
  at: Date;
  actor: Actor;
  /** A noun and a verb, such as `account.created` or `referral.read`. */
  action: string;
  subject?: { type: string; id: string };
  outcome?: 'done' | 'refused';
  details?: Record<string, unknown>;
};

/** A person, a client system of theirs, the command line or the site itself. */
export type Actor = {
  id?: string | undefined;
  name: string;
  role?: string | undefined;
  organisation?: string | undefined;
  address?: string | undefined;
};
