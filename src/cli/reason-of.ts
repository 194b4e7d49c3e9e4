import { type Input, UsageError } from './command.ts';

const maxLength = 500;

/** Why something is done, where `--reason` says so, for the audit. @throws UsageError when it is too long. */
export function reasonOf({ values }: Input): string | undefined {
  const { reason } = values;
  if (typeof reason !== 'string' || reason.trim() === '') return undefined;
  if ([...reason].length > maxLength)
    throw new UsageError(`--reason must have at most ${maxLength} characters`);
  return reason.trim();
}
