import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { headFile, moveHead } from '../../src/audit/head-file.ts';
import { sealAudit } from '../../src/audit/seal-audit.ts';
import { setAuditSigner } from '../../src/audit/signer.ts';
import { type AuditEntry, recordAudit } from '../../src/audit/store.ts';
import { inTransaction, type Trx } from '../../src/platform/database/index.ts';
import { makeApp } from '../app/make-app.ts';
import { tamper } from '../database/test-database.ts';

export type AuditStage = Awaited<ReturnType<typeof auditStage>>;

/** A site for stories about the audit's chain, each of which begins with an empty one. */
export async function auditStage() {
  const site = await makeApp();
  const { db, settings } = site.deps;
  const entry = (given: Partial<AuditEntry> = {}): AuditEntry => ({
    at: site.clock.now(),
    actor: { name: 'Asha Patel', role: 'operator', address: '192.0.2.7' },
    action: 'account.created',
    ...given,
  });
  const write = (given?: Partial<AuditEntry>) => inTransaction(db, (trx) => recordAudit(trx, entry(given)));
  /** What somebody does who owns the database, but has no site key. */
  const change = (changes: (trx: Trx) => Promise<unknown>) => tamper(site.database, changes);
  return {
    site,
    entry,
    write,
    tamper: change,
    /** Six entries in the chain, and the head noted. */
    async sixSealed(): Promise<void> {
      for (const number of [1, 2, 3, 4, 5, 6]) await write({ details: { number } });
      await sealAudit(site.deps);
      await moveHead(site.deps);
    },
    async idAt(position: number): Promise<number> {
      const { rows } = await sql<{ id: number }>`
        select entry_id as id from audit_links where position = ${position}`.execute(db);
      return rows[0]!.id;
    },
    async empty(): Promise<void> {
      await change((trx) => sql`truncate audit_entries, audit_links, audit_unsealed`.execute(trx));
      // Its counts begin anew, too.
      setAuditSigner(db, site.deps.secrets);
      await rm(headFile(settings), { force: true });
      site.logLines.length = 0;
    },
  };
}
