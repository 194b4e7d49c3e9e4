import { commandLine } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { writeBackup } from '../../platform/backup/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Command } from '../command.ts';

export const backup: Command = {
  usage: 'FILE',
  options: {},
  help: [
    'FILE   a new file, which only you may read. It holds people’s health data: keep it where the site’s are kept.',
    'The site goes on meanwhile. The site key is not in it: keep a copy of that somewhere else. Neither are',
    'documents that were written into a folder for printing.',
  ],
  positionals: ['FILE'],
  answers: '{ file, tables, rows, seconds }',
  async run({ platform, database }, input) {
    const { db, clock, settings, secrets } = platform;
    const file = input.positionals[0]!;
    const from = performance.now();
    const at = clock.now();
    const report = await writeBackup({ database, settings, secrets, at }, file, {
      // Recorded before the copy, so that no copy leaves unrecorded, and the backup itself contains the entry.
      begin: () =>
        inTransaction(db, (trx) =>
          recordAudit(trx, { at, actor: commandLine, action: 'site.backed_up', details: {} }),
        ),
      onTable: (table) => input.progress(`${table} …`),
    });
    input.progress('');
    const seconds = Math.round((performance.now() - from) / 100) / 10;
    return {
      text: `${report.rows} rows of ${report.tables} tables are in ${file} (${seconds} s). Keep the site key ${settings.siteKeyFile} too, somewhere else.`,
      json: { file, ...report, seconds },
    };
  },
};
