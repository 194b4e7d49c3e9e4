import { commandLineActor } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { writeBackup } from '../../../platform/backup/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { secondsSince } from '../../../platform/durations.ts';
import type { Command } from '../../command.ts';

export const backup: Command = {
  usage: 'FILE',
  options: {},
  help: [
    'FILE   a new file, which only you may read. It holds people’s health data: protect it as you protect the site.',
    'The site can keep running. The site key is not in the backup: keep a copy of it somewhere else. Documents that were',
    'written into a folder for printing are not in it either.',
  ],
  positionals: ['FILE'],
  jsonShape: '{ file, tables, rows, seconds }',
  async run({ platform, database }, input) {
    const { db, clock, settings, secrets } = platform;
    const file = input.positionals[0]!;
    const startedMs = performance.now();
    const at = clock.now();
    const report = await writeBackup({ database, settings, secrets, at }, file, {
      // Recorded before the copy, so that no copy leaves unrecorded, and the backup itself contains the entry.
      begin: () =>
        inTransaction(db, (trx) =>
          recordAudit(trx, { at, actor: commandLineActor, action: 'site.backed_up', details: {} }),
        ),
      onTable: (table) => input.showProgress(`${table} …`),
    });
    input.clearProgress();
    const seconds = secondsSince(startedMs);
    return {
      text: `${report.rows} rows of ${report.tables} tables are in ${file} (${seconds} s). Keep a copy of the site key ${settings.siteKeyFile} as well, somewhere else.`,
      json: { file, ...report, seconds },
    };
  },
};
