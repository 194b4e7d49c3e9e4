import { join } from 'node:path';
import { editDistance } from '../edit-distance.ts';
import { StartupError } from '../process/startup-error.ts';
import type { Definition } from './definition.ts';
import { definitions } from './definitions.ts';

type Raw = {
  [Key in keyof typeof definitions]: (typeof definitions)[Key] extends Definition<infer T> ? T : never;
};

/** The checked settings. The code reads the environment only through this value. */
export type Settings = Raw & {
  mode: 'test' | 'live';
  /** What ONWARD_MODE says; undefined if it is unset, and `mode` only a default. */
  statedMode: 'test' | 'live' | undefined;
  siteName: string;
  baseUrl: string;
  siteKeyFile: string;
  /** Whether ONWARD_SITE_KEY_FILE names it. Then the operator has to make it. */
  siteKeyIsNamed: boolean;
  documentDir: string;
  answerByLink: boolean;
  personPages: boolean;
  callsPerMinuteOfAccount: number;
  callsPerMinuteOfNetwork: number;
  /** The variables of settings that the environment has. */
  setVariables: ReadonlySet<string>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting from the environment, once, at the start.
 * @throws StartupError naming each variable that is wrong, why, and an example; all of them in one message.
 */
export function readSettings(environment: Environment = process.env): Settings {
  const errors = unknownVariables(environment);
  const raw: Record<string, unknown> = {};
  for (const [key, definition] of Object.entries(definitions) as [string, Definition<unknown>][]) {
    raw[key] = readOne(definition, environment[definition.variable], errors);
  }
  const settings = withDefaults(raw as Raw, environment);
  errors.push(...missingPartners(raw as Raw), ...contradictions(raw as Raw));
  if (settings.mode === 'live') errors.push(...liveRequirements(raw as Raw, environment));
  if (errors.length > 0) throw new StartupError(errors.join('\n'));
  return settings;
}

/** The settings that the site would have if these variables were set too. @throws StartupError */
export function readSettingsWith(variables: Environment): Settings {
  return readSettings({ ...process.env, ...variables });
}

function readOne(definition: Definition<unknown>, raw: string | undefined, errors: string[]): unknown {
  if (raw === undefined || raw === '') return definition.defaultValue;
  try {
    return definition.parse(raw);
  } catch (error) {
    errors.push(`${definition.variable} ${(error as Error).message}. ${forExample(definition)}`);
    return definition.defaultValue;
  }
}

/** As a shell takes it. */
function forExample({ variable, example }: Pick<Definition<unknown>, 'variable' | 'example'>): string {
  return `For example: ${variable}=${/[ <]/.test(example) ? `"${example}"` : example}`;
}

function withDefaults(raw: Raw, environment: Environment): Settings {
  const mode = raw.mode ?? 'test';
  return {
    ...raw,
    mode,
    statedMode: raw.mode,
    siteName: raw.siteName ?? 'Onward test site',
    baseUrl: raw.baseUrl ?? `http://localhost:${raw.port}`,
    siteKeyFile: raw.siteKeyFile ?? join(raw.dataDir, 'site.key'),
    siteKeyIsNamed: raw.siteKeyFile !== undefined,
    documentDir: raw.documentDir ?? join(raw.dataDir, 'documents'),
    callsPerMinuteOfAccount:
      raw.callsPerMinuteOfAccount ?? definitions.callsPerMinuteOfAccount.defaultByMode![mode],
    callsPerMinuteOfNetwork:
      raw.callsPerMinuteOfNetwork ?? definitions.callsPerMinuteOfNetwork.defaultByMode![mode],
    // An empty variable counts as unset.
    setVariables: new Set(Object.keys(environment).filter((name) => environment[name])),
  };
}

/** A misspelt setting would otherwise be ignored, and the site run with a default that nobody chose. */
function unknownVariables(environment: Environment): string[] {
  const known = Object.values(definitions);
  const names = known.map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith('ONWARD_') && !names.includes(name))
    .map((name) => {
      const near = nearest(name, names);
      const meant = known.find(({ variable }) => variable === near);
      const hint = meant ? ` Did you mean ${meant.variable}? ${forExample(meant)}.` : '';
      return `${name} is not a setting of Onward.${hint} All of them, with examples, are in docs/configuration.md.`;
    });
}

/** Settings that do nothing without another. */
function missingPartners(raw: Raw): string[] {
  const needs = [
    ['smtpUrl', 'mailFrom'],
    ['smsNotifyKeyFile', 'smsNotifyTemplate'],
    ['smsNotifyTemplate', 'smsNotifyKeyFile'],
    ['oidcIssuer', 'oidcClientId'],
    ['oidcIssuer', 'oidcClientSecretFile'],
    ['meshUrl', 'meshMailbox'],
    ['meshUrl', 'meshOdsCode'],
    ['meshUrl', 'meshPasswordFile'],
    ['meshUrl', 'meshSharedKeyFile'],
    ['meshCertFile', 'meshKeyFile'],
    ['meshKeyFile', 'meshCertFile'],
  ] as const;
  return needs
    .filter(([setting, needed]) => raw[setting] !== undefined && raw[needed] === undefined)
    .map(([setting, needed]) => {
      const { variable } = definitions[needed];
      return `${variable} must be set too, since ${definitions[setting].variable} is. ${forExample(definitions[needed])}`;
    });
}

function contradictions({
  remindAfterDays,
  rejectAfterDays,
  secondFactor,
  noSecondFactorBecause,
  publicDirectory,
  selfReferral,
}: Raw): string[] {
  const errors: string[] = [];
  if (selfReferral && !publicDirectory)
    errors.push(
      'ONWARD_PUBLIC_DIRECTORY must be true where ONWARD_SELF_REFERRAL is, because people refer themselves on its pages. For example: ONWARD_PUBLIC_DIRECTORY=true',
    );
  // A reminder that comes no sooner than the rejection is never sent, and nobody would learn why.
  if (remindAfterDays !== undefined && rejectAfterDays !== undefined && remindAfterDays >= rejectAfterDays)
    errors.push(
      'ONWARD_REMIND_AFTER_DAYS must be less than ONWARD_REJECT_AFTER_DAYS, or nobody is reminded. For example: ONWARD_REMIND_AFTER_DAYS=7 with ONWARD_REJECT_AFTER_DAYS=28',
    );
  if (secondFactor === 'everybody' && noSecondFactorBecause !== undefined)
    errors.push(
      'ONWARD_SECOND_FACTORS_NOT_REQUIRED_BECAUSE must be unset where ONWARD_SECOND_FACTOR requires one of everybody. For example, of operators alone: ONWARD_SECOND_FACTOR=operators',
    );
  return errors;
}

const requiredOnLiveSite = [
  'siteName',
  'baseUrl',
  'dataController',
  'clinicalSafetyContact',
  'caldicottGuardian',
  'dataProtectionOfficer',
  'safeguardingContact',
] as const;

/** What a live site may not start without: it serves real people, so somebody must answer for it. */
function liveRequirements(raw: Raw, environment: Environment): string[] {
  const missing = requiredOnLiveSite
    .map((key) => definitions[key])
    // A setting that cannot be parsed was reported already.
    .filter(({ variable }) => !environment[variable])
    .map((definition) => `${definition.variable} must be set on a live site. ${forExample(definition)}`);
  if (raw.baseUrl?.startsWith('http://')) {
    missing.push(
      'ONWARD_BASE_URL must start with https:// on a live site. For example: ONWARD_BASE_URL=https://referrals.example.org',
    );
  }
  if (raw.databaseUrl !== undefined && raw.siteKeyFile === undefined) {
    missing.push(
      'ONWARD_SITE_KEY_FILE must be set on a live site that uses ONWARD_DATABASE_URL, so that every process has the ' +
        'same key. For example: ONWARD_SITE_KEY_FILE=/etc/onward/site.key',
    );
  }
  if (raw.databaseUrl !== undefined && !isLocalOrVerified(new URL(raw.databaseUrl)))
    missing.push(
      'ONWARD_DATABASE_URL must have sslmode=verify-full on a live site whose database is on another machine: patients’ data ' +
        'goes over the network. For example: ' +
        'ONWARD_DATABASE_URL="postgres://onward:secret@db.example.org/onward?sslmode=verify-full&sslrootcert=/etc/onward/db-ca.pem"',
    );
  // Nobody would learn that somebody waits for a call.
  if (raw.selfReferral && raw.smtpUrl === undefined)
    missing.push(
      'ONWARD_SMTP_URL must be set on a live site with ONWARD_SELF_REFERRAL, whose owner and deputy are emailed. For example: ONWARD_SMTP_URL=smtps://mail.example.org',
    );
  if (raw.sample === true)
    missing.push('ONWARD_SAMPLE cannot be true on a live site. For example: ONWARD_SAMPLE=false');
  return missing;
}

/**
 * Whether nobody on the network can read or change what goes to and from this database: it is on this machine, by loopback
 * or by a socket, or it is reached by TLS that checks the server's certificate and name.
 */
function isLocalOrVerified(url: URL): boolean {
  const { searchParams } = url;
  // If there are several, one program takes the last and another tries each, so each must be right.
  const named = searchParams.getAll('host');
  const hosts = named.length > 0 ? named : [decodeURIComponent(url.hostname)];
  const all = [...hosts, ...searchParams.getAll('hostaddr')].flatMap((each) => each.split(','));
  if (all.every(isLocal)) return true;
  const modes = searchParams.getAll('sslmode');
  return modes.length > 0 && modes.every((mode) => mode === 'verify-full');
}

/** A socket's directory, or a name or address of this machine. An empty host is not local: PGHOST may point anywhere. */
function isLocal(host: string): boolean {
  return /^\/|^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** The candidate that differs from `word` in the fewest letters, if it is close enough to be meant. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= 4 ? best.candidate : undefined;
}

/** Whom people ask for help, as words that follow “ask”. */
export function contactOf({
  operatorContact,
  siteName,
}: Pick<Settings, 'operatorContact' | 'siteName'>): string {
  return operatorContact ?? `the people who run ${siteName}`;
}

/** Whether the environment sets it, so that no page may say something else. */
export function isSetOnMachine(settings: Settings, key: keyof typeof definitions): boolean {
  return settings.setVariables.has(definitions[key].variable);
}
