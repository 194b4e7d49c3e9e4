import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { listLinksAfter } from '../../src/audit/chain-store.ts';
import { type AuditEntry, recordAudit } from '../../src/audit/entries-store.ts';
import { headFile, moveHead } from '../../src/audit/head-file.ts';
import { openAudit } from '../../src/audit/open-audit.ts';
import { sealAudit } from '../../src/audit/seal-audit.ts';
import { inTransaction, type Trx } from '../../src/platform/database/index.ts';
import { makeApp } from '../app/make-app.ts';
import { tamper } from '../database/test-database.ts';

export type AuditFixture = Awaited<ReturnType<typeof auditFixture>>;

/** A site for tests of the audit chain; each test begins with an empty chain. */
export async function auditFixture() {
  const site = await makeApp();
  const { db, settings } = site.deps;
  const entry = (given: Partial<AuditEntry> = {}): AuditEntry => ({
    at: site.clock.now(),
    actor: { name: 'Asha Patel', role: 'operator', ipAddress: '192.0.2.7' },
    action: 'account.created',
    ...given,
  });
  const write = (given?: Partial<AuditEntry>) => inTransaction(db, (trx) => recordAudit(trx, entry(given)));
  /** Changes the database as somebody could who owns it, but has no site key. */
  const change = (changes: (trx: Trx) => Promise<unknown>) => tamper(site.database, changes);
  return {
    site,
    entry,
    write,
    tamper: change,
    /** Writes six entries, seals them and writes the head. */
    async sixSealed(): Promise<void> {
      for (const number of [1, 2, 3, 4, 5, 6]) await write({ details: { number } });
      await sealAudit(site.deps);
      await moveHead(site.deps);
    },
    async idAt(position: number): Promise<number> {
      const [link] = await listLinksAfter(db, position - 1, 1);
      return link!.entryId;
    },
    async empty(): Promise<void> {
      await change((trx) => sql`truncate audit_entries, audit_links, audit_unsealed`.execute(trx));
      // So that its numbers start at one again, too.
      openAudit(db, site.deps.secrets);
      await rm(headFile(settings), { force: true });
      site.logLines.length = 0;
    },
  };
}
