import { commandLineActor } from '../../accounts/index.ts';
import { recordAudit, setHeadAside } from '../../audit/index.ts';
import { restoreBackup } from '../../platform/backup/index.ts';
import { changeKeyFingerprint, type Trx } from '../../platform/database/index.ts';
import { siteKeyFingerprint } from '../../platform/secrets/index.ts';
import { migrations } from '../../site/migrations.ts';
import type { Command } from '../command.ts';
import { checkInputFile } from '../import-file.ts';
import { lostWithKey } from '../lost-with-key.ts';
import { secondsSince } from '../progress.ts';

export const restore: Command = {
  usage: 'FILE [--old-key-is-lost]',
  options: { 'old-key-is-lost': { type: 'boolean' } },
  help: [
    'FILE   a backup, made with this version or an older one.',
    'The site stays what it was, test or live. If ONWARD_MODE says otherwise, nothing is restored.',
    'Put the site key of the backup’s site in its place first (ONWARD_SITE_KEY_FILE, else site.key in the data directory).',
    '--old-key-is-lost   restores under a new key (site key make FILE). What is lost with the old key:',
    ...lostWithKey.map((line) => `       ${line}`),
    'Make sure that the old site is not running any more: both would deliver the waiting messages.',
    'If a restore was interrupted, run it again with the same file; the site does not start before it is complete.',
    'What happened after the backup was made is lost. Jobs that waited at that time are done, perhaps a second time.',
  ],
  positionals: ['FILE'],
  jsonShape: '{ mode, tables, rows, seconds }',
  // The restore makes the site itself.
  ifMissing: 'leave',
  checkInput: checkInputFile,
  async run({ platform, database }, input) {
    const { clock, settings, secrets } = platform;
    const startedMs = performance.now();
    const oldKeyIsLost = input.values['old-key-is-lost'] === true;
    const finish = async (trx: Trx, details: object) => {
      const at = clock.now();
      const entry = { at, actor: commandLineActor };
      await setHeadAside(settings, at);
      if (oldKeyIsLost) {
        await changeKeyFingerprint(trx, siteKeyFingerprint(secrets));
        await recordAudit(trx, { ...entry, action: 'site.key_replaced', details: {} });
      }
      await recordAudit(trx, { ...entry, action: 'site.restored', details: { ...details } });
    };
    const report = await restoreBackup(
      { database, settings, secrets, migrations, oldKeyIsLost, finish },
      input.positionals[0]!,
      (table) => input.showProgress(`${table} …`),
    );
    input.clearProgress();
    const seconds = secondsSince(startedMs);
    return {
      text: `${report.rows} rows of ${report.tables} tables of a ${report.mode} site were restored in ${seconds} s. Start the site${report.mode === 'live' ? ' with its settings (ONWARD_MODE=live)' : ''}, then run: npm run -s onward -- site check`,
      json: { ...report, seconds },
    };
  },
};
