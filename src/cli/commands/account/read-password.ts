import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { type Input, UsageError } from '../../command.ts';

/**
 * Reads a password from standard input, and not from an argument, which every user of the machine can read. At a terminal it asks twice,
 * and does not show the password. The line end that `echo` adds is not part of the password.
 * @throws UsageError without `--password-stdin`; StartupError if the two passwords differ, and for Ctrl+C.
 */
export async function readPassword(input: Input): Promise<string> {
  requirePassword(input);
  if (process.stdin.isTTY) return askTwice();
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** @throws UsageError without `--password-stdin`. */
export function requirePassword({ values }: Input): void {
  if (values['password-stdin'] === true) return;
  throw new UsageError('--password-stdin is missing: the password is read from standard input');
}

async function askTwice(): Promise<string> {
  const password = await ask('Password: ');
  if ((await ask('The same password again: ')) === password) return password;
  throw new StartupError('The two passwords are not the same. Nothing was changed.');
}

/** Asks for one line without showing it: Readline stops the terminal's echo, and its own output goes nowhere. */
function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    terminal.once('line', (line) => {
      resolve(line);
      terminal.close();
    });
    terminal.once('close', () => {
      process.stderr.write('\n');
      reject(new StartupError('No password was typed. Nothing was changed.'));
    });
  });
}
