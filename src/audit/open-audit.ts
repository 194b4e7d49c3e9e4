import { type Db, databaseOf, type Trx } from '../platform/database/index.ts';
import type { SiteSecrets } from '../platform/secrets/index.ts';
import { RefusalCounts } from './refusal-counts.ts';
import { AuditSigner } from './signer.ts';

/** What this process keeps in memory for the audit of one database. */
type OpenAudit = { readonly signer: AuditSigner; readonly refusals: RefusalCounts };

// Keyed by the database, and not handed in, so that recording an entry needs only the transaction.
const audits = new WeakMap<Db, OpenAudit>();

/** Opens the audit of a database. Call it once when the database is opened, before anything is written. */
export function openAudit(db: Db, secrets: SiteSecrets): void {
  audits.set(db, { signer: new AuditSigner(secrets), refusals: new RefusalCounts() });
}

/** @throws Error (a bug) if `openAudit` was not called. */
export function auditOf(db: Db): OpenAudit {
  const audit = audits.get(db.isTransaction ? databaseOf(db as Trx) : db);
  if (!audit) throw new Error('this database has no audit: call openAudit where the database is opened');
  return audit;
}
