import type { Platform } from '../../platform/platform.ts';
import type { Command } from '../command.ts';
import { type Finding, siteChecks } from '../site-checks.ts';

export const siteCheck: Command = {
  usage: '',
  options: {},
  help: [
    'Prints a line for each check, and what to do where something is wrong; exit status 1 if anything is.',
    'Beside a running site or without one. That it was run is written in the audit.',
  ],
  positionals: [],
  answers: '{ ok, checks: [{ name, ok, found, what_to_do }] }',
  async run({ platform }, input) {
    const checks: (Finding & { name: string })[] = [];
    for (const [name, check] of Object.entries(siteChecks)) {
      input.progress(`${name} …`);
      checks.push({ name, ...(await runCheck(check, platform)) });
    }
    input.progress('');
    const ok = checks.every(({ wrong }) => wrong === undefined);
    const width = Math.max(...checks.map(({ name }) => name.length));
    const lines = checks.flatMap(({ name, found, wrong }) => [
      `${wrong === undefined ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}  ${found}`,
      ...(wrong === undefined ? [] : [`${' '.repeat(width + 9)}${wrong}`]),
    ]);
    const json = {
      ok,
      checks: checks.map(({ name, found, wrong }) => ({
        name,
        ok: wrong === undefined,
        found,
        what_to_do: wrong ?? null,
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
      wrong: 'Mend what the other lines say, then check again.',
    };
  }
}
