import type { Definition } from './definition.ts';
import { definitions } from './definitions.ts';

/** The text of docs/configuration.md, made from the definitions so that it cannot drift from them. */
export function describeSettings(): string {
  const rows = (Object.values(definitions) as Definition<unknown>[]).map(
    ({ variable, defaultInWords, meaning, example }) =>
      `| \`${variable}\` | ${defaultInWords} | ${meaning} | \`${example}\` |`,
  );
  return [
    '# Configuration',
    '',
    'Made by `npm run generate` from `src/platform/settings/definitions.ts`; do not edit it here.',
    '',
    'Onward is set up through environment variables. It does not start with a wrong, missing or misspelt one, and names it.',
    '',
    '| variable | when unset | meaning | example |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
