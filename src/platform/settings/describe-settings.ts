import type { Definition } from './definition.ts';
import { definitions } from './definitions.ts';

/** The settings under the headings of docs/configuration.md. */
const groups: Readonly<Record<string, readonly (keyof typeof definitions)[]>> = {
  'The site': [
    'mode',
    'siteName',
    'baseUrl',
    'host',
    'port',
    'trustedProxies',
    'hstsSubdomains',
    'dataDir',
    'siteKeyFile',
    'sample',
  ],
  'The database': ['databaseUrl'],
  'People to name': [
    'dataController',
    'clinicalSafetyContact',
    'caldicottGuardian',
    'dataProtectionOfficer',
    'safeguardingContact',
    'operatorContact',
    'securityContact',
  ],
  'Signing in': [
    'secondFactor',
    'noSecondFactorBecause',
    'oidcIssuer',
    'oidcClientId',
    'oidcClientSecretFile',
    'oidcName',
  ],
  'The library, the directory and the map': [
    'libraryPublic',
    'publicDirectory',
    'selfReferral',
    'libraryReviewDays',
    'capacityReviewDays',
    'mapFile',
  ],
  Referrals: ['answerByLink', 'personPages', 'crisisPhrases', 'scanUrl'],
  'Dates and reminders': [
    'dueDaysRoutine',
    'dueDaysUrgent',
    'extraBankHolidays',
    'firstContactWorkingDays',
    'waitingCheckDays',
    'startedCheckDays',
    'paperDays',
    'remindAfterDays',
    'rejectAfterDays',
  ],
  'Records and who reads them': [
    'retentionYears',
    'unusualSearchesWithoutResult',
    'unusualReadsWithoutAction',
  ],
  'Email and letters': ['smtpUrl', 'mailFrom', 'documentDir'],
  'The NHS message exchange (MESH)': [
    'meshUrl',
    'meshMailbox',
    'meshOdsCode',
    'meshPasswordFile',
    'meshSharedKeyFile',
    'meshCertFile',
    'meshKeyFile',
    'meshCaFile',
    'meshWorkflow',
    'meshPracticeProfile',
  ],
  'Limits, log and metrics': [
    'callsPerMinuteOfAccount',
    'callsPerMinuteOfNetwork',
    'logLevel',
    'metricsTokenFile',
  ],
};

/** The text of docs/configuration.md, made from the definitions so that it cannot drift from them. */
export function describeSettings(): string {
  const grouped = new Set<string>(Object.values(groups).flat());
  const missing = Object.keys(definitions).filter((name) => !grouped.has(name));
  if (missing.length > 0)
    throw new Error(`describe-settings.ts has no heading for these settings: ${missing.join(', ')}`);
  return [
    '# Configuration',
    '',
    'Made by `npm run generate` from the definitions in `src/platform/settings/`; do not edit it here.',
    '',
    'Onward is set up through environment variables. It does not start with a wrong, missing or misspelt one, and names it.',
    '',
    ...Object.entries(groups).flatMap(([heading, names]) => [
      `## ${heading}`,
      '',
      '| variable | when unset | meaning | example |',
      '|---|---|---|---|',
      ...names.map(describeSetting),
      '',
    ]),
  ].join('\n');
}

function describeSetting(name: keyof typeof definitions): string {
  const { variable, defaultInWords, meaning, example }: Definition<unknown> = definitions[name];
  return `| \`${variable}\` | ${defaultInWords} | ${meaning} | \`${example}\` |`;
}
