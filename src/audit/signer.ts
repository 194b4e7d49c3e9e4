import { onTransactionEnd, type Trx } from '../platform/database/index.ts';
import { hourMs } from '../platform/durations.ts';
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
  ipAddress: string | null,
  details: unknown,
];

/** The writer of an entry, its number among that writer's entries, and `code`, a MAC over both and the values. */
export type Signature = { writer: string; number: number; code: Buffer };

/**
 * Numbers entries without gaps. Only one transaction at a time uses a counter, and the counter advances only when that transaction
 * commits. So neither a rollback nor a killed process leaves a gap.
 */
type Counter = { readonly writer: string; number: number };

/** Signs and numbers the entries that this process writes, so that a forged or missing entry is noticed (docs/decisions/0013-the-audit.md). */
export class AuditSigner {
  readonly #secrets: SiteSecrets;
  readonly #free: Counter[] = [];
  readonly #inUse = new WeakMap<Trx, { counter: Counter; number: number }>();
  /** Counters whose newest entries were committed since the last call of `takeLastNumbers`. */
  readonly #advanced = new Set<Counter>();

  constructor(secrets: SiteSecrets) {
    this.#secrets = secrets;
  }

  /** Signs an entry with the next number of the counter that its transaction uses. */
  sign(trx: Trx, values: SignedValues): Signature {
    const use = this.#inUse.get(trx) ?? this.#takeCounter(trx);
    use.number += 1;
    const { writer } = use.counter;
    return {
      writer,
      number: use.number,
      code: macOf(this.#secrets, { writer, number: use.number }, values),
    };
  }

  /** The last entry of each counter that advanced since the last call. If such an entry is not in the database, somebody deleted it. */
  takeLastNumbers(): { writer: string; number: number }[] {
    const last = [...this.#advanced].map(({ writer, number }) => ({ writer, number }));
    this.#advanced.clear();
    return last;
  }

  #takeCounter(trx: Trx) {
    const counter = this.#free.pop() ?? { writer: newId(), number: 0 };
    const use = { counter, number: counter.number };
    this.#inUse.set(trx, use);
    onTransactionEnd(trx, (outcome) => {
      // Nobody knows whether the transaction committed, so the counter is not used again: its next number could leave a gap.
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

/** The message authentication code of these values under this number, which only this site can make. */
function macOf(
  secrets: SiteSecrets,
  { writer, number }: Omit<Signature, 'code'>,
  values: SignedValues,
): Buffer {
  return secrets.authenticate('audit entry', JSON.stringify(sortKeys([writer, number, ...values])));
}

/** Sorts the keys of objects, because PostgreSQL reorders those of `jsonb`. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, each]) => [name, sortKeys(each)]);
}

/**
 * How long unsigned entries are accepted after the first signed one: a process of an earlier version, which did not sign, may have run
 * beside the new one for a moment. A site whose first entry is signed accepts none.
 */
const unsignedForMs = hourMs;

export type UnsignedRule = { beganUnsigned: boolean; firstSignedAt: Date | null };

export function mayBeUnsigned({ beganUnsigned, firstSignedAt }: UnsignedRule, now: Date): boolean {
  return (
    beganUnsigned && (firstSignedAt === null || now.getTime() - firstSignedAt.getTime() <= unsignedForMs)
  );
}

/** Whether the site signed the entry as it is now; `undefined` for one without a signature. */
export function hasValidSignature(
  secrets: SiteSecrets,
  { writer, number, code }: SignedColumns,
  canonical: string,
): boolean | undefined {
  if (writer === null || number === null || code === null) return undefined;
  const [, ...values] = JSON.parse(canonical) as [number, ...SignedValues];
  return macOf(secrets, { writer, number }, values).equals(code);
}

/** When an entry was written, according to its canonical form. */
export function readTimeOf(canonical: string): Date {
  const [, at] = JSON.parse(canonical) as [number, string];
  return new Date(String(at).replace(/(\.\d{3})\d{3} AD$/, '$1Z'));
}
