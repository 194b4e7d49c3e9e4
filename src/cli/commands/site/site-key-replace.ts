import { commandLineActor } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import {
  changeKeyFingerprint,
  inTransaction,
  readSiteFactsAfterChanges,
} from '../../../platform/database/index.ts';
import { siteKeyFingerprint } from '../../../platform/secrets/index.ts';
import { type Command, UsageError } from '../../command.ts';
import { lostWithKey } from './lost-with-key.ts';
import { requireStopped } from './require-stopped.ts';

export const siteKeyReplace: Command = {
  usage: '--old-key-is-lost',
  options: { 'old-key-is-lost': { type: 'boolean' } },
  help: [
    'For a site whose key is lost for good. Look for the old key first: what it encrypted cannot be recovered without it.',
    'Stop the site, make a new key (site key make FILE), name it in ONWARD_SITE_KEY_FILE, then run this command.',
    ...lostWithKey,
  ],
  positionals: [],
  jsonShape: '{ replaced }',
  skipCheck: 'key',
  checkInput({ values }) {
    if (values['old-key-is-lost'] !== true)
      throw new UsageError('--old-key-is-lost is missing: with it you say that the old key is lost for good');
  },
  async run({ platform }) {
    const { db, clock, secrets } = platform;
    const fingerprint = siteKeyFingerprint(secrets);
    const isReplaced = await inTransaction(db, async (trx) => {
      const { keyFingerprint } = await readSiteFactsAfterChanges(trx);
      if (keyFingerprint?.equals(fingerprint)) return false;
      await changeKeyFingerprint(trx, fingerprint);
      await requireStopped(trx);
      await recordAudit(trx, {
        at: clock.now(),
        actor: commandLineActor,
        action: 'site.key_replaced',
        details: {},
      });
      return true;
    });
    return {
      text: isReplaced
        ? 'The site now uses its new site key. Start the site, and ask the developers of client systems to create new API keys. ' +
          'Earlier delivery addresses in the history of services and practices can no longer be read.'
        : 'This is already the site’s key. There is nothing to do.',
      json: { replaced: isReplaced },
    };
  },
};
