import { text } from 'node:stream/consumers';
import { type Input, UsageError } from './command.ts';

/**
 * A password from standard input: never from an argument, which every user of the machine can read.
 * A last line end, as `echo` adds it, is not part of it. @throws UsageError without `--password-stdin`.
 */
export async function readPassword(input: Input): Promise<string> {
  requirePassword(input);
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** @throws UsageError without `--password-stdin`. */
export function requirePassword({ values }: Input): void {
  if (values['password-stdin'] === true) return;
  throw new UsageError('--password-stdin is missing: the password is read from standard input');
}
