import type { Platform } from '../../../platform/platform.ts';
import type { CheckResult } from '../../../platform/process/check-result.ts';
import type { Command } from '../../command.ts';
import { siteChecks } from './all-checks.ts';

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
    const checks: (CheckResult & { name: string })[] = [];
    for (const [name, check] of Object.entries(siteChecks)) {
      input.showProgress(`${name} …`);
      checks.push({ name, ...(await runCheck(check, platform)) });
    }
    input.clearProgress();
    const ok = checks.every(({ remedy }) => remedy === undefined);
    const width = Math.max(...checks.map(({ name }) => name.length));
    const lines = checks.flatMap(({ name, result, remedy }) => [
      `${remedy === undefined ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}  ${result}`,
      ...(remedy === undefined ? [] : [`${' '.repeat(width + 9)}${remedy}`]),
    ]);
    const json = {
      ok,
      checks: checks.map(({ name, result, remedy }) => ({
        name,
        ok: remedy === undefined,
        found: result,
        what_to_do: remedy ?? null,
      })),
    };
    return { text: lines.join('\n'), json, status: ok ? 0 : 1 };
  },
};

/** Runs a check. If it throws, that is its result, so that the other checks still run. */
async function runCheck(
  check: (platform: Platform) => Promise<CheckResult>,
  platform: Platform,
): Promise<CheckResult> {
  try {
    return await check(platform);
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    return {
      result: `could not be checked (${[name, code].filter(Boolean).join(' ')})`,
      remedy: 'Fix what the other lines report, then check again.',
    };
  }
}
