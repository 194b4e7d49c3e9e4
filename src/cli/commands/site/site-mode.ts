import { commandLineActor } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import {
  changeMode,
  type Db,
  inTransaction,
  type Mode,
  readSiteFactsAfterChanges,
} from '../../../platform/database/index.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { holdsRealReferrals, refuseSampleAccounts } from '../../../site/identity.ts';
import type { OpenPlatform } from '../../../site/open-platform.ts';
import { type Command, type Input, UsageError } from '../../command.ts';
import { requireStopped } from './require-stopped.ts';

export const siteMode: Command = {
  usage: 'test|live',
  options: {},
  help: [
    'Makes a test site live, or a live site a test site. The database stores the mode. Stop the site first, and set the',
    'new mode in ONWARD_MODE with all the settings that the site will need in this mode.',
    'live   refused while sample accounts can sign in. Existing referrals stay simulated: nothing is sent about them.',
    'test   refused if there is a referral of a real patient.',
  ],
  positionals: ['test|live'],
  jsonShape: '{ mode, changed }',
  skipCheck: 'mode',
  checkInput(input) {
    readModeArgument(input);
  },
  async checkSite(db, settings, input) {
    const mode = readModeArgument(input);
    if (settings.statedMode !== mode)
      throw new StartupError(
        `ONWARD_MODE must be ${mode} for this command too, with all other settings of the ${mode} site. ` +
          `For example: ONWARD_MODE=${mode}`,
      );
    if (mode === 'live') await refuseSampleAccounts(db, 'test');
    else await refuseRealReferrals(db);
  },
  async run({ platform }: OpenPlatform, input) {
    const { db, clock } = platform;
    const mode = readModeArgument(input);
    const isChanged = await inTransaction(db, async (trx) => {
      const { mode: before } = await readSiteFactsAfterChanges(trx);
      if (before === mode) return false;
      await changeMode(trx, mode);
      await requireStopped(trx);
      const details = { from: before ?? null, to: mode };
      await recordAudit(trx, {
        at: clock.now(),
        actor: commandLineActor,
        action: 'site.mode_changed',
        details,
      });
      return true;
    });
    return {
      text: isChanged ? `This is now a ${mode} site.` : `This is already a ${mode} site.`,
      json: { mode, changed: isChanged },
    };
  },
};

function readModeArgument({ positionals: [word] }: Input): Mode {
  if (word === 'test' || word === 'live') return word;
  throw new UsageError('the mode must be test or live');
}

async function refuseRealReferrals(db: Db): Promise<void> {
  if (!(await holdsRealReferrals(db))) return;
  throw new StartupError(
    'There are referrals of real patients in this database, so the site stays live. ' +
      'A test site needs a data directory of its own. For example: ONWARD_DATA_DIR=./test-data npm start',
  );
}
