import { parseArgs } from 'node:util';
import { type Db, isTransientDatabaseError } from '../platform/database/index.ts';
import { createLog, describeError } from '../platform/log/index.ts';
import { type FieldError, notFound, Problem } from '../platform/problem/index.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import { version } from '../platform/process/version.ts';
import { readSettings } from '../platform/settings/index.ts';
import {
  type Command,
  type Input,
  type ListedCommand,
  type Result,
  type StandaloneCommand,
  UsageError,
} from './command.ts';
import { commands } from './commands/index.ts';
import { clearProgress, Interrupted, showProgress } from './progress.ts';

/** Runs one command. @returns the exit status: 0 done, 1 refused (standard error says why), 2 used wrongly. */
export async function runCommandLine(words: readonly string[]): Promise<0 | 1 | 2> {
  const command = await findCommand(words);
  try {
    if (!command) return printOverview(words);
    const { values, positionals } = parse(command, words);
    if (values.help === true) return print(helpOf(command));
    const input = { values, positionals, showProgress, clearProgress };
    const result = await runCommand(command, input);
    for (const complaint of result.complaints ?? []) printError(complaint);
    const text = values.json === true ? JSON.stringify(result.json, null, 2) : result.text;
    if (text !== '') print(text);
    return result.status ?? 0;
  } catch (error) {
    return reportError(error, command);
  }
}

type NamedCommand = ListedCommand & (Command | StandaloneCommand);

async function findCommand(words: readonly string[]): Promise<NamedCommand | undefined> {
  const command = commands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  return command && { ...command, ...(await command.load()) };
}

async function runCommand(command: Command | StandaloneCommand, input: Input): Promise<Result> {
  if ('runAlone' in command) return command.runAlone(input);
  await command.checkInput?.(input);
  const settings = readSettings();
  const { openPlatform } = await import('../site/open-platform.ts');
  const open = await openPlatform(settings, createLog('error'), {
    purpose: command.purpose ?? 'command',
    openAs: command.openAs ?? 'existing',
    ...(command.skipCheck && { skipCheck: command.skipCheck }),
    ...(command.checkSite && { inspect: (db: Db) => command.checkSite!(db, settings, input) }),
  });
  try {
    return await command.run(open, input);
  } finally {
    await open.closers.closeAll();
  }
}

function parse(command: NamedCommand, words: readonly string[]) {
  const args = words.slice(command.name.split(' ').length);
  const options = {
    ...command.options,
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
  } as const;
  try {
    const result = parseArgs({ args, options, allowPositionals: true, strict: true });
    const { positionals } = result;
    const values = result.values as Input['values'];
    const expectedCount = command.positionals.length;
    if (values.help !== true && positionals.length !== expectedCount) {
      throw new UsageError(
        `expected ${expectedCount === 0 ? 'no arguments' : command.positionals.join(' ')}`,
      );
    }
    return { values, positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function printOverview(words: readonly string[]): 0 | 2 {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  const text = [
    'Usage: npm run -s onward -- <command>',
    '',
    ...lines,
    '',
    'Every command has --help and --json. --version prints the version.',
  ].join('\n');
  if (words[0] === '--version') return print(`Onward ${version}`);
  const wantsHelp = words.some((word) => ['--help', '-h', 'help'].includes(word));
  if (wantsHelp) return print(text);
  printError(words.length === 0 ? text : `There is no command “${words.slice(0, 2).join(' ')}”.\n${text}`);
  return 2;
}

function helpOf(command: NamedCommand): string {
  const lines = [...command.help, '', `--json prints ${command.jsonShape}`];
  return [command.summary, '', `Usage: ${usageOf(command)}`, ...lines.map(indent)].join('\n');
}

const indent = (line: string) => (line === '' ? '' : `  ${line}`);

function usageOf({ name, usage }: NamedCommand): string {
  return `npm run -s onward -- ${name} ${usage} [--json]`.replaceAll('  ', ' ');
}

// There is one for the process, because its output is for the whole process.
let outputIsClosed = false;

/** Lets the command finish without an error if the reader of its output stops early, as `head` does. */
export function ignoreClosedOutput(): void {
  for (const output of [process.stdout, process.stderr])
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      outputIsClosed = true;
    });
}

function reportError(error: unknown, command: NamedCommand | undefined): 1 | 2 {
  if (error instanceof UsageError) {
    printError(error.message);
    if (command) printError(`Usage: ${usageOf(command)}`);
    return 2;
  }
  if (outputIsClosed) return 1;
  printError(explainFailure(error));
  return 1;
}

function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

const databaseUnreachable =
  'The database closed the connection or cannot be reached. What was stored until then stays. Check that it is running, then try again.';

/** Says why a command failed. */
export function explainFailure(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  if (error instanceof Problem) {
    const fields = error.errors?.map(describeFieldError) ?? [];
    const title = error.kind === notFound || error instanceof Interrupted ? '' : `${error.kind.title}. `;
    return [`${title}${error.detail ?? ''}`.trim(), ...fields].join('\n');
  }
  if (isTransientDatabaseError(error)) return databaseUnreachable;
  return `An internal error: ${JSON.stringify(describeError(error), null, 2)}`;
}

/** A message that is a whole sentence stands by itself, as on pages. */
function describeFieldError({ pointer, message }: FieldError): string {
  return /^[A-Z]/.test(message) ? `  ${message}` : `  ${pointer.slice(1)} ${message}`;
}
