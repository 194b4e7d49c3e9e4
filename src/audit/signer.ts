import { type Db, databaseOf, onTransactionEnd, type Trx } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import type { SiteSecrets } from '../platform/secrets/index.ts';
import type { SignedColumns } from './chain-store.ts';

/** The columns of an entry that say what happened, in the order in which they are signed. */
export type SignedValues = readonly [
  at: string,
  actorId: string | null,
  actorName: string,
  actorRole: string | null,
  organisation: string | null,
  action: string,
  subjectType: string | null,
  subjectId: string | null,
  outcome: string,
  address: string | null,
  details: unknown,
];

/** The writer of an entry, its number among that writer's entries, and a keyed code over both and the values. */
export type Signature = { writer: string; number: number; code: Buffer };

/**
 * Numbers entries without gaps. One transaction at a time uses it, and its numbers count only once it is committed: a
 * transaction that is rolled back leaves no gap, nor does a process that is killed.
 */
type Counter = { readonly writer: string; number: number };

/**
 * Signs and numbers the entries that this process writes in the audit of one database, so that a forged or missing entry
 * is noticed (docs/decisions/0013).
 */
export class AuditSigner {
  readonly #secrets: SiteSecrets;
  readonly #free: Counter[] = [];
  readonly #inUse = new WeakMap<Trx, { counter: Counter; number: number }>();
  /** Counters with entries that were committed since the last check that they are there. */
  readonly #advanced = new Set<Counter>();

  constructor(secrets: SiteSecrets) {
    this.#secrets = secrets;
  }

  sign(trx: Trx, values: SignedValues): Signature {
    const use = this.#inUse.get(trx) ?? this.#takeCounter(trx);
    use.number += 1;
    const { writer } = use.counter;
    return {
      writer,
      number: use.number,
      code: codeOf(this.#secrets, { writer, number: use.number }, values),
    };
  }

  /** The last entry of each counter that advanced since the last call. Each is in the database, unless somebody deleted it. */
  takeAdvanced(): { writer: string; number: number }[] {
    const last = [...this.#advanced].map(({ writer, number }) => ({ writer, number }));
    this.#advanced.clear();
    return last;
  }

  #takeCounter(trx: Trx) {
    const counter = this.#free.pop() ?? { writer: newId(), number: 0 };
    const use = { counter, number: counter.number };
    this.#inUse.set(trx, use);
    onTransactionEnd(trx, (outcome) => {
      // Nobody knows whether the last numbers were used, so the next number could leave a gap.
      if (outcome === 'unknown') return;
      if (outcome === 'committed') {
        counter.number = use.number;
        this.#advanced.add(counter);
      }
      this.#free.push(counter);
    });
    return use;
  }
}

const signers = new WeakMap<Db, AuditSigner>();

/** Sets the signer of a database's audit. Call it once when a database is opened, before anything is written. */
export function setAuditSigner(db: Db, secrets: SiteSecrets): void {
  signers.set(db, new AuditSigner(secrets));
}

export function signerOf(db: Db): AuditSigner | undefined {
  return signers.get(db);
}

/** @throws Error (a bug) where the database was opened without a signer. */
export function requireSigner(trx: Trx): AuditSigner {
  const signer = signers.get(databaseOf(trx));
  if (!signer)
    throw new Error('the audit of this database cannot be signed: call setAuditSigner where it is opened');
  return signer;
}

/** Whether this site signed exactly these values under this number. */
function isGenuine(secrets: SiteSecrets, { writer, number, code }: Signature, values: SignedValues): boolean {
  return codeOf(secrets, { writer, number }, values).equals(code);
}

function codeOf(
  secrets: SiteSecrets,
  { writer, number }: Omit<Signature, 'code'>,
  values: SignedValues,
): Buffer {
  return secrets.authenticate('audit entry', JSON.stringify(sorted([writer, number, ...values])));
}

/** Gives the same result in whatever order the keys of an object stand: PostgreSQL reorders those of `jsonb`. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, each]) => [name, sorted(each)]);
}

/**
 * How long after the first signed entry unsigned ones are still accepted: while a site is updated without a pause, a
 * process of the earlier version goes on writing them. A site that has signed from the start accepts none.
 */
const unsignedForMs = 60 * 60_000;

export type UnsignedRule = { beganUnsigned: boolean; firstSignedAt: Date | null };

export function mayBeUnsigned({ beganUnsigned, firstSignedAt }: UnsignedRule, now: Date): boolean {
  return (
    beganUnsigned && (firstSignedAt === null || now.getTime() - firstSignedAt.getTime() <= unsignedForMs)
  );
}

/** Whether the site signed the entry as it stands; `undefined` for one without a signature. */
export function hasValidSignature(
  secrets: SiteSecrets,
  { writer, number, code }: SignedColumns,
  canonical: string,
): boolean | undefined {
  if (writer === null || number === null || code === null) return undefined;
  const [, ...values] = JSON.parse(canonical) as [number, ...SignedValues];
  return isGenuine(secrets, { writer, number, code }, values);
}

/** When an entry was written, according to its canonical form. */
export function writtenAt(canonical: string): Date {
  const [, at] = JSON.parse(canonical) as [number, string];
  return new Date(String(at).replace(/(\.\d{3})\d{3} AD$/, '$1Z'));
}
