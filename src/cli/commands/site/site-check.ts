import type { Finding } from '../../../platform/finding.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Command } from '../../command.ts';
import { siteChecks } from '../../site-checks.ts';

export const siteCheck: Command = {
  usage: '',
  options: {},
  help: [
    'Prints one line for each check, and what to do if something is wrong; then the exit status is 1.',
    'The site may be running or not. The audit records that the check was run.',
  ],
  positionals: [],
  jsonShape: '{ ok, checks: [{ name, ok, found, what_to_do }] }',
  async run({ platform }, input) {
    const checks: (Finding & { name: string })[] = [];
    for (const [name, check] of Object.entries(siteChecks)) {
      input.showProgress(`${name} …`);
      checks.push({ name, ...(await runCheck(check, platform)) });
    }
    input.clearProgress();
    const ok = checks.every(({ remedy }) => remedy === undefined);
    const width = Math.max(...checks.map(({ name }) => name.length));
    const lines = checks.flatMap(({ name, found, remedy }) => [
      `${remedy === undefined ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}  ${found}`,
      ...(remedy === undefined ? [] : [`${' '.repeat(width + 9)}${remedy}`]),
    ]);
    const json = {
      ok,
      checks: checks.map(({ name, found, remedy }) => ({
        name,
        ok: remedy === undefined,
        found,
        what_to_do: remedy ?? null,
      })),
    };
    return { text: lines.join('\n'), json, status: ok ? 0 : 1 };
  },
};

/** Runs a check. One that fails is a finding, so that the others still run. */
async function runCheck(
  check: (platform: Platform) => Promise<Finding>,
  platform: Platform,
): Promise<Finding> {
  try {
    return await check(platform);
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    return {
      found: `could not be checked (${[name, code].filter(Boolean).join(' ')})`,
      remedy: 'Fix what the other lines report, then check again.',
    };
  }
}
