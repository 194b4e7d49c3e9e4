import { commandLine } from '../../accounts/index.ts';
import { putHeadAside, recordAudit } from '../../audit/index.ts';
import { restoreBackup } from '../../platform/backup/index.ts';
import { changeKeyMark, type Trx } from '../../platform/database/index.ts';
import { siteKeyMark } from '../../platform/secrets/index.ts';
import { migrations } from '../../site/migrations.ts';
import type { Command } from '../command.ts';
import { checkFile } from '../import-file.ts';
import { lostWithKey } from '../lost-with-key.ts';

export const restore: Command = {
  usage: 'FILE [--old-key-is-lost]',
  options: { 'old-key-is-lost': { type: 'boolean' } },
  help: [
    'FILE   what the command backup wrote, by this version or an older one.',
    'It comes back as the site that it was, test or live; where ONWARD_MODE says otherwise, nothing is restored.',
    'Put the site key of the backup’s site in its place first (ONWARD_SITE_KEY_FILE, else site.key in the data directory).',
    '--old-key-is-lost   restores under a new key (site key make FILE). Everything comes back but this:',
    ...lostWithKey.map((line) => `       ${line}`),
    'Make sure that the old site does not run any more: both would deliver what was waiting.',
    'A restore that was cut off is run again with the same file; no site starts before it has ended.',
    'What the site did after the backup was made is not known to it. Jobs that waited then are done, perhaps again.',
  ],
  positionals: ['FILE'],
  answers: '{ mode, tables, rows, seconds }',
  ifMissing: 'leave',
  check: checkFile,
  async run({ platform, database }, input) {
    const { clock, settings, secrets } = platform;
    const from = performance.now();
    const oldKeyIsLost = input.values['old-key-is-lost'] === true;
    const finish = async (trx: Trx, details: object) => {
      const at = clock.now();
      const entry = { at, actor: commandLine };
      await putHeadAside(settings, at);
      if (oldKeyIsLost) {
        await changeKeyMark(trx, siteKeyMark(secrets));
        await recordAudit(trx, { ...entry, action: 'site.key_replaced', details: {} });
      }
      await recordAudit(trx, { ...entry, action: 'site.restored', details: { ...details } });
    };
    const report = await restoreBackup(
      { database, settings, secrets, migrations, oldKeyIsLost, finish },
      input.positionals[0]!,
      (table) => input.progress(`${table} …`),
    );
    input.progress('');
    const seconds = Math.round((performance.now() - from) / 100) / 10;
    return {
      text: `${report.rows} rows of ${report.tables} tables of a ${report.mode} site were brought back in ${seconds} s. Start the site${report.mode === 'live' ? ' with its settings (ONWARD_MODE=live)' : ''}, then run: npm run -s onward -- site check`,
      json: { ...report, seconds },
    };
  },
};
