import { commandLine, countActiveOperators } from '../accounts/index.ts';
import { checkAudit, describeBreak } from '../audit/index.ts';
import { checkExchange } from '../delivery/index.ts';
import { checkWritable } from '../platform/check-writable.ts';
import { machineSkewMs } from '../platform/clock/machine-skew.ts';
import { describeDatabase } from '../platform/database/index.ts';
import { findFailedMails } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { recogniseSiteKey } from '../platform/secrets/index.ts';
import { checkJobs } from './check-jobs.ts';

/** What a check found: that all is well, or what is wrong and what to do about it. */
export type Finding = { readonly found: string; readonly wrong?: string };

type Check = (platform: Platform) => Promise<Finding>;

const day = 86_400_000;
const mostSkewMs = 5000;
const leastFreeMegabytes = 500;

/** Every check of `site check`, by its name, in the order of the lines. */
export const siteChecks: Readonly<Record<string, Check>> = {
  async database({ db }) {
    // It was reached, and brought up to date, before any command begins.
    const { version, tables } = await describeDatabase(db);
    return { found: `PostgreSQL ${version}, tables up to ${tables}` };
  },

  async 'site key'({ db, secrets, settings }) {
    if (await recogniseSiteKey(db, secrets))
      return { found: 'it is the one that this database was made under' };
    return {
      found: 'this database was made under another one',
      wrong: `Put the right file back in the place of ${settings.siteKeyFile}. Until then no key and no sealed value works, and the audit is not sealed.`,
    };
  },

  async audit(platform) {
    const { links, head, broken } = await checkAudit(platform, commandLine);
    const compared = head ? `; position ${head.position}, seen on ${head.at.toISOString()}, is in it` : '';
    if (!broken) return { found: `${links} entries, each as it was written${compared}` };
    return {
      found: describeBreak(broken),
      wrong:
        'Somebody changed the database, or an older copy of it was put in its place. Keep a copy of the database and of audit-head.json for whoever looks into it. ' +
        'If that was you (the command restore does this by itself), move audit-head.json out of the data directory.',
    };
  },

  async 'data directory'({ settings: { dataDir } }) {
    try {
      const free = await checkWritable(dataDir);
      const found = `${dataDir} can be written to, ${free} MB free`;
      return free >= leastFreeMegabytes ? { found } : { found, wrong: 'Make room on this disk.' };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return {
        found: `${dataDir} cannot be written to (${code})`,
        wrong: 'Let the user that runs the site write there.',
      };
    }
  },

  async settings({ settings }) {
    const { mode, siteName, baseUrl, databaseUrl, smtpUrl, oidcIssuer } = settings;
    const parts = [
      `${mode} site “${siteName}” at ${baseUrl}`,
      databaseUrl === undefined ? 'its own database' : 'an outside database',
      smtpUrl === undefined ? 'no mail server' : 'a mail server',
      oidcIssuer === undefined ? 'no outside sign-in' : `sign-in through ${new URL(oidcIssuer).host}`,
    ];
    return { found: parts.join(', ') };
  },

  async clock({ clock }) {
    const skewMs = machineSkewMs(clock);
    const found = `this machine is ${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'} the database`;
    if (Math.abs(skewMs) <= mostSkewMs) return { found };
    return {
      found,
      wrong: 'Set both clocks by a time server: the site goes by the database’s, its log by this one.',
    };
  },

  jobs: checkJobs,

  async mail({ db, clock }) {
    const since = new Date(clock.now().getTime() - 7 * day);
    const { count, lastReason } = await findFailedMails(db, since);
    if (count === 0) return { found: 'no email failed in the last 7 days' };
    return {
      found: `${count} failed in the last 7 days; the last one because: ${lastReason}`,
      wrong: 'Mend the cause, then send the invitations and resets again.',
    };
  },

  'message exchange': checkExchange,

  async operators({ db, settings }) {
    const count = await countActiveOperators(db, settings.oidcIssuer);
    if (count > 0) return { found: `${count} can sign in` };
    return {
      found: 'nobody can sign in to run the site',
      wrong: 'Make an operator: npm run -s onward -- account create --role operator …',
    };
  },
};
