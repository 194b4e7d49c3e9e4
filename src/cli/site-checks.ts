import routines from '../../migrations/routines.json' with { type: 'json' };
import { commandLineActor, countActiveOperators } from '../accounts/index.ts';
import { auditAlarm, checkAudit, describeBreak, findLatestEntry } from '../audit/index.ts';
import { checkExchange, exchangeConnections } from '../delivery/index.ts';
import { machineSkewMs } from '../platform/clock/index.ts';
import { failureInWords, listConnectionFailures } from '../platform/connections/index.ts';
import {
  compareSchemaLogic,
  describeDatabase,
  listSchemaLogic,
  readSiteFacts,
} from '../platform/database/index.ts';
import { dayMs } from '../platform/durations.ts';
import type { Finding } from '../platform/finding.ts';
import { findFailedMails } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { checkWritable } from '../platform/process/check-writable.ts';
import { version } from '../platform/process/version.ts';
import { otherReadersOfKey } from '../platform/secrets/index.ts';
import { listEnabledSampleAccounts } from '../sample/index.ts';
import { checkJobs } from './check-jobs.ts';

type Check = (platform: Platform) => Promise<Finding>;

const alarmShownMs = 30 * dayMs;
const maxSkewMs = 5000;
const minFreeMegabytes = 500;

/** The checks of `site check`, by name and in order. */
export const siteChecks: Readonly<Record<string, Check>> = {
  async database({ db }) {
    // Opening the site has reached and migrated it already.
    const { version: postgresVersion, latestMigration } = await describeDatabase(db);
    return { found: `PostgreSQL ${postgresVersion}, tables up to ${latestMigration}` };
  },

  async triggers({ db }) {
    const { extra, missing, changed } = compareSchemaLogic(await listSchemaLogic(db), routines);
    const differences = [
      ...extra.map((name) => `${name} is not Onward’s`),
      ...missing.map((name) => `${name} is missing`),
      ...changed.map((name) => `${name} was changed or switched off`),
    ];
    if (differences.length === 0) return { found: 'triggers, functions and rules are those of this version' };
    return {
      found: differences.join('; '),
      remedy:
        'Somebody changed what the database does by itself, which can keep entries out of the audit. Find out who did, and restore it. ' +
        'Keep tables, functions and triggers of your own in another schema.',
    };
  },

  async site({ db, settings }) {
    const { mode, id } = await readSiteFacts(db);
    const found = `${mode} site ${id}, by Onward ${version}`;
    const emails = settings.mode === 'live' ? await listEnabledSampleAccounts(db) : [];
    if (emails.length === 0) return { found };
    return {
      found: `${found}; sample accounts can sign in: ${emails.join(', ')}`,
      remedy:
        'Disable them: their passwords were printed on a screen. The site will not start again until you do.',
    };
  },

  async 'site key'({ settings: { siteKeyFile } }) {
    // Opening the site has already compared the key with the database.
    const readers = await otherReadersOfKey(siteKeyFile);
    if (readers === undefined) return { found: 'it is the key of this database' };
    return {
      found: `${siteKeyFile}: ${readers}`,
      remedy: `Let only the site’s user read it: chmod 600 ${siteKeyFile}`,
    };
  },

  async audit(platform) {
    const { links, head, broken } = await checkAudit(platform, commandLineActor);
    const alarm = await findLatestEntry(platform.db, auditAlarm);
    const compared = head ? `; position ${head.position}, seen on ${head.at.toISOString()}, is in it` : '';
    if (!broken) {
      const found = `${links} entries, each as it was written${compared}`;
      if (!alarm || platform.clock.now().getTime() - alarm.at.getTime() > alarmShownMs) return { found };
      return {
        found: `${found}; but on ${alarm.at.toISOString()} the site noticed: ${alarm.details.what}`,
        remedy:
          'Somebody changed the database. See the log for the events before it. This warning lasts 30 days.',
      };
    }
    return {
      found: describeBreak(broken),
      remedy:
        'Somebody changed the database, or replaced it by an older copy. Keep a copy of the database and of audit-head.json for the investigation. ' +
        'If you replaced it yourself, move audit-head.json out of the data directory. The command restore does this for you.',
    };
  },

  async 'data directory'({ settings: { dataDir } }) {
    try {
      const free = await checkWritable(dataDir);
      const found = `${dataDir} can be written to, ${free} MB free`;
      return free >= minFreeMegabytes ? { found } : { found, remedy: 'Free some space on this disk.' };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return {
        found: `${dataDir} cannot be written to (${code})`,
        remedy: 'Let the user that runs the site write there.',
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
    if (Math.abs(skewMs) <= maxSkewMs) return { found };
    return {
      found,
      remedy: 'Set both clocks by a time server: the site uses the database’s clock, its log this machine’s.',
    };
  },

  jobs: checkJobs,

  async mail({ db, clock, settings }) {
    if (settings.mode === 'live' && settings.smtpUrl === undefined)
      return {
        found: 'this live site has no mail server, so nobody is emailed, not even of urgent news',
        remedy: 'Set ONWARD_SMTP_URL and ONWARD_MAIL_FROM, and start the site again.',
      };
    const since = new Date(clock.now().getTime() - 7 * dayMs);
    const { count, lastReason } = await findFailedMails(db, since);
    if (count === 0) return { found: 'no email failed in the last 7 days' };
    return {
      found: `${count} failed in the last 7 days; the last one because: ${lastReason}`,
      remedy: 'Fix the cause, then send the invitations and resets again.',
    };
  },

  async connections({ db, clock }) {
    const all = await listConnectionFailures(db, clock.now());
    // The message exchange has a line of its own.
    const [first, ...others] = all
      .filter(({ connection }) => !exchangeConnections.includes(connection))
      .map(failureInWords);
    if (!first) return { found: 'no problem with the mail server' };
    const more = others.length > 0 ? `; and ${others.map(({ heading }) => heading).join('; ')}` : '';
    return {
      found: `${first.heading} since ${first.since.toISOString()}: ${first.reason}${more}`,
      remedy: `${first.remedy} ${first.consequence}`,
    };
  },

  'message exchange': checkExchange,

  async operators({ db, settings }) {
    const count = await countActiveOperators(db, settings.oidcIssuer);
    if (count > 0) return { found: `${count} can sign in` };
    return {
      found: 'nobody can sign in to run the site',
      remedy: 'Make an operator: npm run -s onward -- account create --role operator …',
    };
  },
};
