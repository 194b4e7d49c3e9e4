import type { Definition } from './definition.ts';
import { definitions } from './definitions.ts';
import { settingGroups } from './setting-groups.ts';

/** The text of docs/configuration.md, made from the definitions so that it cannot drift from them. */
export function describeSettings(): string {
  const grouped = new Set<string>(Object.values(settingGroups).flat());
  const missing = Object.keys(definitions).filter((name) => !grouped.has(name));
  if (missing.length > 0)
    throw new Error(`setting-groups.ts has no heading for these settings: ${missing.join(', ')}`);
  return [
    '# Configuration',
    '',
    'Made by `npm run generate` from the definitions in `src/platform/settings/`; do not edit it here.',
    '',
    'Onward is set up through environment variables. It does not start with a wrong, missing or misspelt one, and names it.',
    '',
    ...Object.entries(settingGroups).flatMap(([heading, names]) => [
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
