import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import type { AuditEntry } from '../src/audit/entry.ts';
import { headFile } from '../src/audit/head-file.ts';
import { moveHead } from '../src/audit/move-head.ts';
import { sealAudit } from '../src/audit/seal-audit.ts';
import { recordAudit } from '../src/audit/store.ts';
import { inTransaction, type Trx } from '../src/platform/database/index.ts';
import { makeApp } from './make-app.ts';

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
  const tamper = (change: (trx: Trx) => Promise<unknown>) =>
    inTransaction(db, async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await change(trx);
    });
  return {
    site,
    entry,
    write,
    tamper,
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
      await tamper((trx) => sql`truncate audit_entries, audit_links, audit_unsealed`.execute(trx));
      await rm(headFile(settings), { force: true });
      site.logLines.length = 0;
    },
  };
}
