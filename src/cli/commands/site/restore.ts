import { commandLineActor, endAllAccess } from '../../../accounts/index.ts';
import { recordAudit, renameHead } from '../../../audit/index.ts';
import { deleteAllAnswerVisits, holdAllUnsent } from '../../../delivery/index.ts';
import { type RestoreReport, restoreBackup } from '../../../platform/backup/index.ts';
import { changeKeyFingerprint, type Trx } from '../../../platform/database/index.ts';
import { secondsSince } from '../../../platform/durations.ts';
import { beginRestoreCheck } from '../../../platform/restore-check/index.ts';
import { siteKeyFingerprint } from '../../../platform/secrets/index.ts';
import { deleteAllVisits } from '../../../referrals/index.ts';
import { migrations } from '../../../site/migrations.ts';
import { type Command, UsageError } from '../../command.ts';
import { checkInputFile, isStandardInput } from '../../import-file.ts';
import { lostWithKey } from './lost-with-key.ts';

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
    'What happened after the backup was made is lost. Nobody is signed in, and all access tokens, invitations and links to choose a password have ended.',
    'The restored site is in “check first”: no message about a referral and no email to a person is sent, people’s pages and answering by link',
    '       stay shut, and refresh tokens do not work, before an operator has confirmed at /operator/check-first what was sent and ended since the',
    '       backup. A test site without waiting messages is ready at once.',
  ],
  positionals: ['FILE'],
  jsonShape: '{ mode, tables, rows, backup_made_at, check_first, seconds }',
  // The restore makes the site itself.
  openAs: 'untouched',
  async checkInput(input) {
    if (isStandardInput(input))
      throw new UsageError('a backup is read twice, so standard input will not do: write it to a file first');
    await checkInputFile(input);
  },
  async run({ platform, database }, input) {
    const { clock, settings, secrets } = platform;
    const startedMs = performance.now();
    const oldKeyIsLost = input.values['old-key-is-lost'] === true;
    let needsCheck = false;
    const finish = async (trx: Trx, { madeAt, ...details }: RestoreReport) => {
      const at = clock.now();
      const entry = { at, actor: commandLineActor };
      await renameHead(settings, at);
      if (oldKeyIsLost) {
        await changeKeyFingerprint(trx, siteKeyFingerprint(secrets));
        await recordAudit(trx, { ...entry, action: 'site.key_replaced', details: {} });
      }
      const sessions = await endAllAccess(trx);
      await deleteAllVisits(trx);
      await deleteAllAnswerVisits(trx);
      const waiting = await holdAllUnsent(trx, at);
      // A test site without waiting messages can send nothing twice, and its people are made up.
      needsCheck = details.mode === 'live' || waiting > 0;
      if (needsCheck) await beginRestoreCheck(trx, { backupMadeAt: madeAt, at });
      await recordAudit(trx, {
        ...entry,
        action: 'site.restored',
        details: {
          ...details,
          backup_made_at: madeAt,
          check_first: needsCheck,
          waiting,
          sessions_ended: sessions,
        },
      });
    };
    const report = await restoreBackup(
      { database, settings, secrets, migrations, oldKeyIsLost, finish },
      input.positionals[0]!,
      (table) => input.showProgress(`${table} …`),
    );
    input.clearProgress();
    const seconds = secondsSince(startedMs);
    const { madeAt, ...counts } = report;
    const settingsHint = report.mode === 'live' ? ' with its settings (ONWARD_MODE=live)' : '';
    const text = [
      `${report.rows} rows of ${report.tables} tables of a ${report.mode} site were restored in ${seconds} s. Start the site${settingsHint}, then run: npm run -s onward -- site check`,
      signInWords,
      ...(needsCheck ? [checkFirstWords(madeAt)] : []),
    ];
    return {
      text: text.join('\n'),
      json: { ...counts, backup_made_at: madeAt, check_first: needsCheck, seconds },
    };
  },
};

const signInWords =
  'Everybody has to sign in again. All access tokens, invitations and links to choose a password have ended: invite again who has not accepted yet.';

function checkFirstWords(madeAt: Date): string {
  return (
    `The site is in “check first”: it sends no message about a referral and no email to a person, and people’s pages and answering by link are shut. ` +
    `Refresh tokens do not work: tell those who run client systems. The backup is of ${madeAt.toISOString()}. Disable again which accounts and keys were ` +
    'ended since then, find out what was sent, and confirm it at /operator/check-first.'
  );
}
