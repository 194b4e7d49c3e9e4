import routines from '../../../../migrations/routines.json' with { type: 'json' };
import { commandLineActor, countOperatorsWhoCanSignIn } from '../../../accounts/index.ts';
import { auditAlarm, describeBreak, findLatestEntry, sealCheckAndRecord } from '../../../audit/index.ts';
import { checkExchange, exchangeConnections } from '../../../delivery/index.ts';
import { countMarkedByWords, countMarkedWithPlace, listMarkedByWords } from '../../../library/index.ts';
import { machineSkewMs } from '../../../platform/clock/index.ts';
import { describeFailure, listConnectionFailures } from '../../../platform/connections/index.ts';
import {
  compareSchemaLogic,
  describeDatabase,
  listSchemaLogic,
  readSiteFacts,
} from '../../../platform/database/index.ts';
import { dayMs } from '../../../platform/durations.ts';
import { countFailedMails } from '../../../platform/mail/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CheckResult } from '../../../platform/process/check-result.ts';
import { checkWritable } from '../../../platform/process/check-writable.ts';
import { version } from '../../../platform/process/version.ts';
import { otherReadersOfKey } from '../../../platform/secrets/index.ts';
import { findNotifyFault, sendsTexts } from '../../../platform/texts/index.ts';
import { countUnscannedFiles } from '../../../referrals/index.ts';
import { listEnabledSampleAccounts } from '../../../sample/index.ts';
import { checkJobs } from './check-jobs.ts';

type Check = (platform: Platform) => Promise<CheckResult>;

/** How long an alarm of the audit is reported. */
const alarmLifetimeMs = 30 * dayMs;
const maxSkewMs = 5000;
const warnBelowMegabytes = 500;

/** The checks of `site check`, by name and in order. */
export const siteChecks: Readonly<Record<string, Check>> = {
  async database({ db }) {
    // Opening the site has reached and migrated it already.
    const { version: postgresVersion, latestMigration } = await describeDatabase(db);
    return { result: `PostgreSQL ${postgresVersion}, tables up to ${latestMigration}` };
  },

  async triggers({ db }) {
    const { extra, missing, changed } = compareSchemaLogic(await listSchemaLogic(db), routines);
    const differences = [
      ...extra.map((name) => `${name} is not Onward’s`),
      ...missing.map((name) => `${name} is missing`),
      ...changed.map((name) => `${name} was changed or switched off`),
    ];
    if (differences.length === 0)
      return { result: 'triggers, functions and rules are those of this version' };
    return {
      result: differences.join('; '),
      remedy:
        'Somebody changed what the database does by itself, which can keep entries out of the audit. Find out who did, and restore it. ' +
        'Keep tables, functions and triggers of your own in another schema.',
    };
  },

  async site({ db, settings }) {
    const { mode, id } = await readSiteFacts(db);
    const result = `${mode} site ${id}, by Onward ${version}`;
    const emails = settings.mode === 'live' ? await listEnabledSampleAccounts(db) : [];
    if (emails.length === 0) return { result };
    return {
      result: `${result}; sample accounts can sign in: ${emails.join(', ')}`,
      remedy:
        'Disable them: their passwords were printed on a screen. The site will not start again until you do.',
    };
  },

  async 'site key'({ settings: { siteKeyFile } }) {
    // Opening the site has already compared the key with the database.
    const readers = await otherReadersOfKey(siteKeyFile);
    if (readers === undefined) return { result: 'it is the key of this database' };
    return {
      result: `${siteKeyFile}: ${readers}`,
      remedy: `Let only the site’s user read it: chmod 600 ${siteKeyFile}`,
    };
  },

  async audit(platform) {
    const { links, head, broken } = await sealCheckAndRecord(platform, commandLineActor);
    const alarm = await findLatestEntry(platform.db, auditAlarm);
    const headNote = head
      ? `, with the last one that was noted outside the database (${head.position}, ${head.at.toISOString()})`
      : '';
    if (!broken) {
      const result = `${links} entries, each as it was written${headNote}`;
      if (!alarm || platform.clock.now().getTime() - alarm.at.getTime() > alarmLifetimeMs) return { result };
      return {
        result: `${result}; but on ${alarm.at.toISOString()} the site noticed: ${alarm.details.what}`,
        remedy:
          'Somebody changed the database. See the log for the events before it. This warning lasts 30 days.',
      };
    }
    return {
      result: describeBreak(broken),
      remedy:
        'Somebody changed the database, or replaced it by an older copy. Keep a copy of the database and of audit-head.json for the investigation. ' +
        'If you replaced it yourself, move audit-head.json out of the data directory. The command restore does this for you.',
    };
  },

  async 'data directory'({ settings: { dataDir } }) {
    try {
      const free = await checkWritable(dataDir);
      const result = `${dataDir} can be written to, ${free} MB free`;
      return free >= warnBelowMegabytes ? { result } : { result, remedy: 'Free some space on this disk.' };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return {
        result: `${dataDir} cannot be written to (${code})`,
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
    return { result: parts.join(', ') };
  },

  async clock({ clock }) {
    const skewMs = machineSkewMs(clock);
    const result = `this machine is ${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'} the database`;
    if (Math.abs(skewMs) <= maxSkewMs) return { result };
    return {
      result,
      remedy: 'Set both clocks by a time server: the site uses the database’s clock, its log this machine’s.',
    };
  },

  jobs: checkJobs,

  async mail({ db, clock, settings }) {
    if (settings.mode === 'live' && settings.smtpUrl === undefined)
      return {
        result: 'this live site has no mail server, so nobody is emailed, not even of urgent news',
        remedy: 'Set ONWARD_SMTP_URL and ONWARD_MAIL_FROM, and start the site again.',
      };
    const since = new Date(clock.now().getTime() - 7 * dayMs);
    const { count, lastReason } = await countFailedMails(db, since, { texts: false });
    if (count === 0) return { result: 'no email failed in the last 7 days' };
    return {
      result: `${count} failed in the last 7 days; the last one because: ${lastReason}`,
      remedy: 'Fix the cause, then send the invitations and resets again.',
    };
  },

  async 'text messages'({ db, clock, settings }) {
    if (settings.mode === 'test') return { result: 'a test site shows them in the outbox' };
    if (!sendsTexts(settings)) return { result: 'none are sent: codes go by email alone' };
    const problem = await findNotifyFault(settings, clock.now());
    if (problem)
      return {
        result: problem,
        remedy: 'See “Send text messages” in docs/operating.md. Codes can go by email meanwhile.',
      };
    const since = new Date(clock.now().getTime() - 7 * dayMs);
    const { count, lastReason } = await countFailedMails(db, since, { texts: true });
    if (count === 0) return { result: 'GOV.UK Notify takes them, and none failed in the last 7 days' };
    return {
      result: `${count} failed in the last 7 days; the last one because: ${lastReason}`,
      remedy: 'Fix the cause. People who wait for a code ask for a new one.',
    };
  },

  async connections({ db, clock }) {
    const all = await listConnectionFailures(db, clock.now());
    // The message exchange has a line of its own.
    const [first, ...others] = all
      .filter(({ connection }) => !exchangeConnections.includes(connection))
      .map(describeFailure);
    if (!first) return { result: 'no problem with the mail server or the virus scanner' };
    const more = others.length > 0 ? `; and ${others.map(({ heading }) => heading).join('; ')}` : '';
    return {
      result: `${first.heading} since ${first.since.toISOString()}: ${first.reason}${more}`,
      remedy: `${first.remedy} ${first.consequence}`,
    };
  },

  async 'files to scan'({ db, settings }) {
    if (settings.scanUrl === undefined) return { result: 'no virus scanner is set up' };
    const { count, oldest } = await countUnscannedFiles(db);
    if (count === 0) return { result: 'the virus scanner has looked at each file' };
    return {
      result: `${count} not scanned yet, the oldest of ${oldest!.toISOString()}`,
      remedy:
        'The site asks the virus scanner again every five minutes. If the number does not fall, check ONWARD_SCAN_URL, and ask the people who run the scanner.',
    };
  },

  'message exchange': checkExchange,

  async 'sensitive services'({ db }) {
    const count = await countMarkedByWords(db);
    if (count === 0) return { result: 'none waits to be confirmed' };
    const first = await listMarkedByWords(db, { limit: 5 });
    const names = first.map(({ name }) => `“${name}”`).join(', ');
    const services = count > first.length ? `${count}, among them ${names}` : names;
    const withPlaceCount = await countMarkedWithPlace(db);
    return {
      result: `marked because of their words, and not confirmed: ${services}; ${withPlaceCount} of them show their place to everybody`,
      remedy:
        'Open /operator/library/sensitive, and confirm each or take the mark off. If nobody must find the place, such as a refuge’s, mark its location as confidential there too: words never do that. Look for others too: a refuge whose words do not say so is shown like any other service.',
    };
  },

  async operators({ db, settings }) {
    const count = await countOperatorsWhoCanSignIn(db, settings.oidcIssuer);
    if (count > 0) return { result: `${count} can sign in` };
    return {
      result: 'nobody can sign in to run the site',
      remedy: 'Make an operator: npm run -s onward -- account create --role operator …',
    };
  },
};
