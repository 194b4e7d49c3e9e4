import type { ParseArgsConfig } from 'node:util';
import type { Db } from '../platform/database/index.ts';
import { maxReasonLength } from '../platform/reason.ts';
import type { Settings } from '../platform/settings/index.ts';
import type { OpenOptions, OpenPlatform } from '../site/open-platform.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** A command, as the list of commands shows it. */
export type ListedCommand = {
  /** The words that call it, such as `account create`. */
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command | StandaloneCommand>;
};

/** How a command is used. */
type CommandDescription = {
  /** What follows the name, such as `FILE` or `--email E`. */
  readonly usage: string;
  readonly options: Options;
  /** The lines of `--help` about the options, each with its meaning. */
  readonly help: readonly string[];
  readonly positionals: readonly string[];
  /** With --json: the shape of the answer, for `--help`. */
  readonly jsonShape: string;
};

/** A command that works in a site. */
export type Command = CommandDescription & {
  /** How the site is opened; most commands need one that exists. */
  readonly openAs?: OpenOptions['openAs'];
  readonly skipCheck?: OpenOptions['skipCheck'];
  /** Set for a command beside which no other process may use the site. */
  readonly purpose?: OpenOptions['purpose'];
  /** Checks the arguments and files before a site is opened or made. @throws UsageError, StartupError */
  checkInput?(input: Input): void | Promise<void>;
  /** Checks the site before anything in its database is changed. @throws StartupError */
  checkSite?(db: Db, settings: Settings, input: Input): Promise<void>;
  run(open: OpenPlatform, input: Input): Promise<Result>;
};

/** A command that needs neither a site nor its settings. */
export type StandaloneCommand = CommandDescription & { runAlone(input: Input): Promise<Result> };

export type Input = {
  readonly values: Readonly<Record<string, string | boolean | string[] | undefined>>;
  readonly positionals: readonly string[];
  /** Shows the progress of a long command on a terminal. @throws Interrupted */
  showProgress(line: string): void;
  clearProgress(): void;
};

/** The answer of a command: for people, and with `--json` for programs. */
export type Result = {
  /** Empty if the command has written to standard output itself. */
  readonly text: string;
  readonly json: unknown;
  /** 1 if the command did only a part, and refused something. */
  readonly status?: 0 | 1;
  /** Lines for standard error: what was refused, and why. */
  readonly complaints?: readonly string[];
};

/** The command line was used wrongly: exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The value of an option. @throws UsageError if it is missing or empty. */
export function requireOption(input: Input, option: string): string {
  const value = input.values[option];
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${option} is missing`);
  return value;
}

/** The value of `--reason`, for the audit; undefined if it is not given. @throws UsageError if it is too long. */
export function readReason({ values }: Input): string | undefined {
  const { reason } = values;
  if (typeof reason !== 'string' || reason.trim() === '') return undefined;
  if ([...reason].length > maxReasonLength)
    throw new UsageError(`--reason must have at most ${maxReasonLength} characters`);
  return reason.trim();
}
