import type { Input } from '../../src/cli/command.ts';

/** The arguments of a command that shows no progress. */
export function commandInput(positionals: Input['positionals'] = [], values: Input['values'] = {}): Input {
  return { positionals, values, showProgress: () => undefined, clearProgress: () => undefined };
}
