import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { EarlierVersions } from '../../src/platform/database/index.ts';
import * as timesReadAnew from './0038-times-read-anew.ts';
import * as heldDeliveries from './0039-held-deliveries.ts';
import * as leftOut from './0040-left-out.ts';
import * as confirmedAddresses from './0041-confirmed-addresses.ts';
import * as signedAudit from './0042-signed-audit.ts';
import * as requiredFactors from './0043-required-factors.ts';
import * as lengthOfMeshMessages from './0044-length-of-mesh-messages.ts';
import * as orderOfWays from './0045-order-of-ways.ts';
import * as jobTurns from './0046-job-turns.ts';
import * as plainNames from './0047-plain-names.ts';

/** What version e7dc646 calls its migrations; together they make the tables of e7dc646.sql. */
const oldestNames = [
  '0001-audit',
  '0002-accounts',
  '0003-tokens',
  '0004-library',
  '0005-referrals',
  '0006-delivery',
  '0007-audit-chain',
  '0008-mail-and-links',
  '0009-second-factors',
  '0010-identities',
  '0011-return-addresses',
  '0012-key-guards',
  '0013-hsds-reading',
  '0014-postcodes',
  '0015-service-filters',
  '0016-search-quality',
  '0017-library-sources',
  '0018-service-editing',
  '0019-referral-states',
  '0020-events',
  '0021-delivery-channels',
  '0022-saved-lists',
  '0023-patient-records',
  '0024-mesh-messages',
  '0025-simulator',
  '0026-catalogue',
  '0027-words-in-memory',
  '0028-library-news',
  '0029-unused-indexes',
  '0030-drawn-letters',
  '0031-fewer-indexes',
  '0032-lighter-imports',
  '0033-event-of-a-start',
  '0034-seen-to',
  '0035-loose-ends',
  '0036-copied-parts',
  '0037-stopped-imports',
];

/**
 * How data directories and backups from before the baseline are carried over: version e7dc646 and every one after it. A
 * database of an even older version is brought to e7dc646 by that version first.
 */
export const beforeBaseline: EarlierVersions = {
  oldestMigrations: oldestNames,
  makeTables: async (db: Kysely<unknown>) => {
    const text = await readFile(join(import.meta.dirname, 'e7dc646.sql'), 'utf8');
    await sql.raw(text).execute(db);
  },
  steps: {
    '0038-times-read-anew': timesReadAnew,
    '0039-held-deliveries': heldDeliveries,
    '0040-left-out': leftOut,
    '0041-confirmed-addresses': confirmedAddresses,
    '0042-signed-audit': signedAudit,
    '0043-required-factors': requiredFactors,
    '0044-length-of-mesh-messages': lengthOfMeshMessages,
    '0045-order-of-ways': orderOfWays,
    '0046-job-turns': jobTurns,
    '0047-plain-names': plainNames,
  },
};
