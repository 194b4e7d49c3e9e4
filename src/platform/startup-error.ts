/**
 * A refusal to start that is the operator's to mend: a wrong setting, a directory in use, a taken port.
 * Its message says what is wrong, where, and how to mend it; `main.ts` and the command line print it alone,
 * without a stack, and exit with status 1.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}
