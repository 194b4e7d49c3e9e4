import { migrations } from '../../../migrations/index.ts';
import { commandLine } from '../../accounts/index.ts';
import { putHeadAside, recordAudit } from '../../audit/index.ts';
import { restoreBackup } from '../../platform/backup/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Command } from '../command.ts';
import { checkFile } from '../import-file.ts';

export const restore: Command = {
  usage: 'FILE',
  options: {},
  help: [
    'FILE   what the command backup wrote, by this version or an older one.',
    'Put the site key of the backup’s site in its place first (ONWARD_SITE_KEY_FILE, else site.key in the data directory).',
    'Make sure that the old site does not run any more: both would deliver what was waiting.',
    'What the site did after the backup was made is not known to it. Jobs that waited then are done, perhaps again.',
  ],
  positionals: ['FILE'],
  answers: '{ tables, rows, seconds }',
  site: 'as-found',
  check: checkFile,
  async run({ platform, database }, input) {
    const { db, clock, settings, secrets } = platform;
    const from = performance.now();
    const report = await restoreBackup(
      { database, settings, secrets, migrations },
      input.positionals[0]!,
      (table) => input.progress(`${table} …`),
    );
    const at = clock.now();
    await putHeadAside(settings, at);
    await inTransaction(db, (trx) =>
      recordAudit(trx, { at, actor: commandLine, action: 'site.restored', details: { ...report } }),
    );
    input.progress('');
    const seconds = Math.round((performance.now() - from) / 100) / 10;
    return {
      text: `${report.rows} rows of ${report.tables} tables were brought back in ${seconds} s. Start the site, then run: npm run -s onward -- site check`,
      json: { ...report, seconds },
    };
  },
};
