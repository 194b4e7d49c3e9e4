import { define } from './definition.ts';
import { meshDefinitions } from './mesh-definitions.ts';
import { oidcDefinitions } from './oidc-definitions.ts';
import {
  contactAddress,
  flag,
  network,
  oneOf,
  path,
  port,
  scannerAddress,
  smtpAddress,
  text,
  webAddress,
  wholeNumber,
} from './parsers.ts';
import { referralDefinitions } from './referral-definitions.ts';
import { textMessageDefinitions } from './text-message-definitions.ts';

/** Every setting there is. A variable that starts with ONWARD_ and is not here stops the start. */
export const definitions = {
  mode: define<'test' | 'live' | undefined>({
    variable: 'ONWARD_MODE',
    parse: oneOf('test', 'live'),
    defaultValue: undefined,
    defaultInWords: '`test`',
    meaning:
      'A test site sends nothing outside itself; a live site serves real people. The database remembers which it is, and a ' +
      'process with the other mode does not start.',
    example: 'live',
  }),
  siteName: define<string | undefined>({
    variable: 'ONWARD_SITE_NAME',
    parse: text(1, 80),
    defaultValue: undefined,
    defaultInWords: '`Onward test site` (a live site must have one)',
    meaning: 'The name of the site, shown on every page and in every letter.',
    example: 'Herefordshire community referrals',
  }),
  baseUrl: define<string | undefined>({
    variable: 'ONWARD_BASE_URL',
    parse: webAddress,
    defaultValue: undefined,
    defaultInWords: '`http://localhost:<port>` (a live site must have one, with https)',
    meaning: 'Where people and client systems reach the site: the only source of absolute links.',
    example: 'https://referrals.example.org',
  }),
  host: define<string>({
    variable: 'ONWARD_HOST',
    parse: text(1, 255),
    defaultValue: '127.0.0.1',
    meaning: 'The address that the site listens on.',
    example: '0.0.0.0',
  }),
  port: define<number>({
    variable: 'ONWARD_PORT',
    parse: port,
    defaultValue: 8080,
    meaning: 'The port that the site listens on.',
    example: '8081',
  }),
  dataDir: define<string>({
    variable: 'ONWARD_DATA_DIR',
    parse: path,
    defaultValue: path('./data'),
    defaultInWords: '`./data`',
    meaning:
      'Holds the site’s own database, the site key, the head of the audit chain, and the letters of a live site that are to be printed.',
    example: '/var/lib/onward',
  }),
  databaseUrl: define<string | undefined>({
    variable: 'ONWARD_DATABASE_URL',
    parse: (raw) => {
      if (!/^postgres(ql)?:\/\//.test(raw) || !URL.canParse(raw))
        throw new Error('is not a postgres:// address');
      return raw;
    },
    defaultValue: undefined,
    defaultInWords: 'unset: the site runs its own PostgreSQL',
    meaning:
      'A PostgreSQL (15 or newer) to use instead of the site’s own. A live site reaches one on another machine by TLS, with ' +
      '`?sslmode=verify-full` (and `&sslrootcert=FILE` for an authority of your own).',
    example: 'postgres://onward:secret@127.0.0.1:5432/onward',
  }),
  siteKeyFile: define<string | undefined>({
    variable: 'ONWARD_SITE_KEY_FILE',
    parse: path,
    defaultValue: undefined,
    defaultInWords: '`<data dir>/site.key`, made on first start',
    meaning:
      'The 32 random bytes that hash tokens and encrypt. A live site with an outside database must name one. A file that is ' +
      'named is not made for you: `npm run -s onward -- site key make FILE` makes one.',
    example: '/etc/onward/site.key',
    isSecret: true,
  }),
  hstsSubdomains: define<boolean>({
    variable: 'ONWARD_HSTS_SUBDOMAINS',
    parse: flag,
    defaultValue: false,
    meaning:
      'Tells browsers to use https for every subdomain of the site too, for a year (HSTS `includeSubDomains`). Set it only if all ' +
      'of them have https.',
    example: 'true',
  }),
  libraryPublic: define<boolean>({
    variable: 'ONWARD_LIBRARY_PUBLIC',
    parse: flag,
    defaultValue: false,
    meaning: 'Reading the library needs no token: an open Open Referral UK feed.',
    example: 'true',
  }),
  publicDirectory: define<boolean>({
    variable: 'ONWARD_PUBLIC_DIRECTORY',
    parse: flag,
    defaultValue: false,
    meaning:
      'Anybody finds services at `/find` without signing in. It leaves out entries that nobody has checked for two years, keeps no words that people search for, and has nothing about referrals. While it is off, `/find` does not exist.',
    example: 'true',
  }),
  selfReferral: define<boolean>({
    variable: 'ONWARD_SELF_REFERRAL',
    parse: flag,
    defaultValue: false,
    meaning:
      'People refer themselves on the page of a service in the public directory, if the service allows it and an operator has named an owner and a deputy at `/operator/self-referrals`. Nothing leaves the site until staff have spoken to the person. It needs `ONWARD_PUBLIC_DIRECTORY`, and on a live site `ONWARD_SMTP_URL`.',
    example: 'true',
  }),
  secondFactor: define<'operators' | 'everybody' | undefined>({
    variable: 'ONWARD_SECOND_FACTOR',
    parse: oneOf('operators', 'everybody'),
    defaultValue: undefined,
    defaultInWords: 'on a live site everybody within 14 days, on a test site nobody',
    meaning:
      'Who must use two-step sign-in (an authenticator app or a passkey) from the first sign-in on: `operators` or `everybody`. People without it set it up after their password, and can do nothing else until then. On a live site all others have 14 days. People who sign in through an outside provider are not asked. Keys that systems already have keep working.',
    example: 'everybody',
  }),
  noSecondFactorBecause: define<string | undefined>({
    variable: 'ONWARD_SECOND_FACTORS_NOT_REQUIRED_BECAUSE',
    parse: text(10, 300),
    defaultValue: undefined,
    defaultInWords: 'unset: a live site requires two-step sign-in of everybody',
    meaning:
      'Why a live site does not require two-step sign-in of everybody who sees patients, such as another safeguard. With it, only people whom `ONWARD_SECOND_FACTOR` names must use it. The log says it at every start.',
    example: 'The site is reached only through the council’s VPN, which has two-step sign-in',
  }),
  sample: define<boolean | undefined>({
    variable: 'ONWARD_SAMPLE',
    parse: flag,
    defaultValue: undefined,
    defaultInWords: '`true` on a test site with an empty database',
    meaning: 'Load the sample library, practices and accounts into an empty database.',
    example: 'false',
  }),
  logLevel: define<'debug' | 'info' | 'warn' | 'error' | 'silent'>({
    variable: 'ONWARD_LOG_LEVEL',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    defaultValue: 'info',
    meaning: 'How much is logged, as JSON lines on standard error. `info` has a line for every request.',
    example: 'warn',
  }),
  trustedProxies: define<readonly string[]>({
    variable: 'ONWARD_TRUSTED_PROXIES',
    parse: (raw) => raw.split(',').map((part) => network(part.trim())),
    defaultValue: [],
    defaultInWords: 'none: `X-Forwarded-*` is ignored',
    meaning:
      'Addresses or networks of the proxies whose `X-Forwarded-*` headers the site believes, separated by commas.',
    example: '10.0.0.0/8,127.0.0.1',
  }),
  mapFile: define<string | undefined>({
    variable: 'ONWARD_MAP_FILE',
    parse: path,
    defaultValue: undefined,
    defaultInWords:
      'on a test site the map of the sample valley, on a live site none: maps are then drawings without ground',
    meaning:
      'A PMTiles file of your area, with the layers of Protomaps’ basemap. The site shows it below the results of a search; browsers get it from nowhere else. `docs/operating.md` says how to get one.',
    example: '/etc/onward/herefordshire.pmtiles',
  }),
  libraryReviewDays: define<number>({
    variable: 'ONWARD_LIBRARY_REVIEW_DAYS',
    parse: wholeNumber(1, 3650),
    defaultValue: 180,
    meaning: 'After how many days a service in the library should be checked again.',
    example: '90',
  }),
  capacityReviewDays: define<number>({
    variable: 'ONWARD_CAPACITY_REVIEW_DAYS',
    parse: wholeNumber(1, 3650),
    defaultValue: 30,
    meaning: 'After how many days a service should state its availability again.',
    example: '14',
  }),
  operatorContact: define<string | undefined>({
    variable: 'ONWARD_OPERATOR_CONTACT',
    parse: text(3, 200),
    defaultValue: undefined,
    defaultInWords:
      'unset: what an operator enters at `/operator/site`, or else “the people who run <site name>”',
    meaning:
      'Whom account holders ask for help, for example for API access. Where it is set, operators cannot change it on a page.',
    example: 'Asha Patel, 01632 960001, help@example.org',
    entryPage: '/operator/site',
  }),
  securityContact: define<string | undefined>({
    variable: 'ONWARD_SECURITY_CONTACT',
    parse: contactAddress,
    defaultValue: undefined,
    defaultInWords: 'unset: the email address in `ONWARD_OPERATOR_CONTACT`, or else the site itself',
    meaning:
      'Where people report a weakness in the security of the site, for `/.well-known/security.txt`: an email address, or the https address of a page.',
    example: 'security@example.org',
  }),
  smtpUrl: define<string | undefined>({
    variable: 'ONWARD_SMTP_URL',
    parse: smtpAddress,
    defaultValue: undefined,
    defaultInWords:
      'unset: a live site sends no email and holds letters by email (a test site never sends any, and shows it in the outbox)',
    meaning:
      'The mail server for invitations, password resets and notices. `smtps://` is TLS from the start, `smtp://` must ' +
      'upgrade to TLS (except on loopback).',
    example: 'smtps://onward:secret@mail.example.org:465',
  }),
  mailFrom: define<string | undefined>({
    variable: 'ONWARD_MAIL_FROM',
    parse: text(3, 200),
    defaultValue: undefined,
    defaultInWords: 'unset (needed with `ONWARD_SMTP_URL`)',
    meaning: 'The sender of the site’s emails.',
    example: 'Herefordshire referrals <referrals@example.org>',
  }),
  ...textMessageDefinitions,
  ...oidcDefinitions,
  callsPerMinuteOfAccount: define<number | undefined>({
    variable: 'ONWARD_CALLS_PER_MINUTE_OF_ACCOUNT',
    parse: wholeNumber(10, 100_000_000),
    defaultValue: undefined,
    defaultByMode: { test: 6_000_000, live: 6000 },
    meaning:
      'How many API calls one account may make in a minute. Further calls are answered 429. A test site allows more, for tests under load.',
    example: '12000',
  }),
  callsPerMinuteOfNetwork: define<number | undefined>({
    variable: 'ONWARD_CALLS_PER_MINUTE_OF_NETWORK',
    parse: wholeNumber(10, 100_000_000),
    defaultValue: undefined,
    defaultByMode: { test: 12_000_000, live: 12_000 },
    meaning:
      'How many API calls one network (an IPv4 address, an IPv6 /64) may make in a minute. Further calls are answered 429.',
    example: '60000',
  }),
  metricsTokenFile: define<string | undefined>({
    variable: 'ONWARD_METRICS_TOKEN_FILE',
    parse: path,
    defaultValue: undefined,
    defaultInWords: 'unset: `/metrics` answers only programs on the site’s own machine',
    meaning:
      'A file that holds the token (20 to 1000 characters) with which Prometheus on another machine reads `/metrics`: ' +
      'it sends `Authorization: Bearer <token>`.',
    example: '/etc/onward/metrics.token',
    isSecret: true,
  }),
  ...referralDefinitions,
  ...meshDefinitions,
  dataController: define<string | undefined>({
    variable: 'ONWARD_DATA_CONTROLLER',
    parse: text(2, 200),
    defaultValue: undefined,
    defaultInWords: 'unset (a live site must name one)',
    meaning: 'The organisation that answers for the personal data on the site.',
    example: 'Herefordshire Council',
  }),
  clinicalSafetyContact: define<string | undefined>({
    variable: 'ONWARD_CLINICAL_SAFETY_CONTACT',
    parse: text(3, 200),
    defaultValue: undefined,
    defaultInWords:
      'unset: what an operator enters at `/operator/site`, or else `ONWARD_OPERATOR_CONTACT` (a live site must set it here)',
    meaning: 'Whom to tell about a risk to a patient.',
    example: 'safety@example.org',
    entryPage: '/operator/site',
  }),
  scanUrl: define<string | undefined>({
    variable: 'ONWARD_SCAN_URL',
    parse: scannerAddress,
    defaultValue: undefined,
    defaultInWords: 'unset: files are marked as not scanned',
    meaning:
      'A virus scanner that looks at each file before it is attached: over ICAP (RFC 3507), or over HTTP, where the file is posted and the scanner answers 2xx for a clean file, 406 or 422 for a virus. While it does not answer, files are marked as not scanned.',
    example: 'icap://127.0.0.1:1344/avscan',
  }),
  caldicottGuardian: define<string | undefined>({
    variable: 'ONWARD_CALDICOTT_GUARDIAN',
    parse: text(3, 200),
    defaultValue: undefined,
    defaultInWords: 'unset (a live site must name one)',
    meaning:
      'The person who answers for what is disclosed about patients, with an address or telephone number. Every page names them. If it has an email address, a note goes there each Monday while there is unusual access to review. It says how much of each kind, and no names. The guardian needs no account for that; otherwise operators get it.',
    example: 'Dr Anna Hale, caldicott@example.org',
  }),
  dataProtectionOfficer: define<string | undefined>({
    variable: 'ONWARD_DATA_PROTECTION_OFFICER',
    parse: text(3, 200),
    defaultValue: undefined,
    defaultInWords: 'unset (a live site must name one)',
    meaning: 'Whom people ask about their data and their rights. Every page names them.',
    example: 'dpo@example.org',
  }),
  crisisPhrases: define<readonly string[] | undefined>({
    variable: 'ONWARD_CRISIS_PHRASES',
    parse: (raw) => raw.split(',').map((phrase) => text(2, 100)(phrase.trim())),
    defaultValue: undefined,
    defaultInWords: 'only the list that comes with Onward (`src/library/model/crisis-phrases.ts`)',
    meaning:
      'Words and phrases, separated by commas, that are added to the list that comes with Onward; one that begins with a hyphen is taken out of it. A search for services that has one of them shows whom to call in a crisis, and a referral that has one asks to look at the answer about risk again. The clinical safety officer decides on the list.',
    example: 'the river,-jump off',
  }),
  safeguardingContact: define<string | undefined>({
    variable: 'ONWARD_SAFEGUARDING_CONTACT',
    parse: text(3, 200),
    defaultValue: undefined,
    defaultInWords: 'unset: referrers are told to ask their safeguarding lead (a live site must name one)',
    meaning:
      'Whom referrers tell when a child or adult is being hurt: a name or team, with a telephone number.',
    example: 'Adult and children’s safeguarding, 01432 000 000',
  }),
};
