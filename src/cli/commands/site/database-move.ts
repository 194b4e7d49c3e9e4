import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { commandLineActor } from '../../../accounts/index.ts';
import { checkChain, describeBreak, openAudit, recordAudit, sealAudit } from '../../../audit/index.ts';
import { moveSite } from '../../../platform/backup/index.ts';
import {
  clusterPath,
  type Database,
  findRestoreInProgress,
  readSiteFacts,
  type Trx,
} from '../../../platform/database/index.ts';
import { secondsSince } from '../../../platform/durations.ts';
import { createLog } from '../../../platform/log/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createClosers } from '../../../platform/process/closers.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { readSettings, readSettingsWith, type Settings } from '../../../platform/settings/index.ts';
import { readSiteId, refuseMissingDatabaseUrl, writeSiteId } from '../../../site/check-data-directory.ts';
import { migrations } from '../../../site/migrations.ts';
import { openOutsideDatabase } from '../../../site/open-platform.ts';
import type { Command } from '../../command.ts';
import { Interrupted } from '../../progress.ts';

export const databaseMove: Command = {
  usage: 'URL',
  options: {},
  help: [
    'URL   an empty database of another PostgreSQL (15 or newer), as ONWARD_DATABASE_URL takes it. Its role must be the owner',
    '      of the database. deploy/database.sql makes both. Leave its password out and set PGPASSWORD instead: every user of',
    '      this machine can read the arguments of a command.',
    'Stop the site first; nobody can use it meanwhile. Everything is copied and then compared with the original: the rows of',
    'each table, the audit chain, which site it is. Beside the database, the data directory needs room for a backup.',
    'Afterwards nothing starts on the old database, which stays as it is until you remove it. If the move is cut off, the site',
    'can continue with its own PostgreSQL, or you run the same command again. Once outside-database.json is in the data',
    'directory, only the same command can finish it.',
  ],
  positionals: ['URL'],
  jsonShape: '{ tables, rows, audit_links, seconds, settings, old_database }',
  purpose: 'move',
  async checkInput({ positionals }) {
    await refuseIfMoved(settingsAfterMove(positionals[0]!));
  },
  async run({ platform, database }, input) {
    const url = input.positionals[0]!;
    const settings = settingsAfterMove(url);
    const startedMs = performance.now();
    const { report, links } = await withTargetDatabase(url, (target) =>
      moveAndVerify(platform, database, target, settings, (table) => input.showProgress(`${table} …`)),
    ).catch((error: unknown) => {
      throw error instanceof Interrupted ? moveInterrupted() : error;
    });
    input.clearProgress();
    const seconds = secondsSince(startedMs);
    const old = clusterPath(settings.dataDir);
    const newSettings = {
      ONWARD_DATABASE_URL: url,
      ...(settings.mode === 'live' && { ONWARD_SITE_KEY_FILE: settings.siteKeyFile }),
    };
    const lines = [
      `${report.rows} rows of ${report.tables} tables were moved in ${seconds} s. They are the same as in the original, and so is`,
      `the audit chain (${links} entries). Set this from now on:`,
      ...Object.entries(newSettings).map(([name, value]) => `${name}='${value}'`),
      'Then start the site, and run: npm run -s onward -- site check',
      `Nothing starts any more on the old database in ${old}. Make a backup of the new one, then remove the old:`,
      `rm -r '${old}' '${join(settings.dataDir, 'postgres.log')}'`,
    ];
    const { tables, rows } = report;
    return {
      text: lines.join('\n'),
      json: { tables, rows, audit_links: links, seconds, settings: newSettings, old_database: old },
    };
  },
};

/** The settings of the site after the move. @throws StartupError if they are not usable, or its database is outside already. */
function settingsAfterMove(url: string): Settings {
  const { databaseUrl, siteKeyFile } = readSettings();
  if (databaseUrl !== undefined)
    throw new StartupError(
      'ONWARD_DATABASE_URL is set: this site’s database is in an outside PostgreSQL already. To take a site from one to another, ' +
        'make a backup and restore it there. To move from the PostgreSQL in the data directory, leave ONWARD_DATABASE_URL unset.',
    );
  return readSettingsWith({ ONWARD_DATABASE_URL: url, ONWARD_SITE_KEY_FILE: siteKeyFile });
}

/**
 * The last step of a move writes a file into the data directory. If that file is there, this command may only finish an interrupted move to
 * the same database. @throws StartupError
 */
async function refuseIfMoved(settings: Settings): Promise<void> {
  const siteId = await readSiteId(settings);
  if (siteId === undefined) return;
  const { mark, facts } = await withTargetDatabase(settings.databaseUrl!, async ({ db }) => ({
    mark: await findRestoreInProgress(db),
    facts: await readSiteFacts(db),
  }));
  if (mark?.movedSite === siteId) return;
  if (!mark && facts.id === siteId)
    throw new StartupError(
      'The site has moved to this database already. Set ONWARD_DATABASE_URL to it, then start the site.',
    );
  await refuseMissingDatabaseUrl(readSettings(), false);
}

async function withTargetDatabase<T>(url: string, use: (target: Database) => Promise<T>): Promise<T> {
  const log = createLog('error');
  const closers = createClosers(log);
  try {
    return await use(await openOutsideDatabase(url, log, closers));
  } finally {
    await closers.closeAll();
  }
}

/** Copies the site to the target, compares the two audit chains, and marks the data directory as moved. */
async function moveAndVerify(
  platform: Platform,
  source: Database,
  target: Database,
  settings: Settings,
  onTable: (table: string) => void,
) {
  const { db, clock, secrets } = platform;
  openAudit(target.db, secrets);
  const siteId = (await readSiteFacts(db)).id!;
  await sealAudit(platform);
  const original = await checkChain(platform);
  const at = clock.now();
  const finish = async (trx: Trx) => {
    const copy = await checkChain({ ...platform, db: trx });
    if (!isDeepStrictEqual(copy, original)) throw chainDiffers(copy.broken && describeBreak(copy.broken));
    await recordAudit(trx, { at, actor: commandLineActor, action: 'site.database_moved', details: {} });
    // Before the target can serve the site, so that two databases can never both be started.
    await writeSiteId(settings, siteId);
  };
  const report = await moveSite(
    { source, target, siteId, settings: platform.settings, secrets, migrations, at },
    { onTable, finish },
  );
  return { report, links: original.links };
}

function chainDiffers(what = 'It has a different length.'): StartupError {
  return new StartupError(
    `The audit chain is not the same in the copy as in the original. ${what} The site can continue with its own PostgreSQL.`,
  );
}

function moveInterrupted(): StartupError {
  return new StartupError(
    'The move was stopped by hand. The site can continue with its own PostgreSQL, or run the same command again.',
  );
}
