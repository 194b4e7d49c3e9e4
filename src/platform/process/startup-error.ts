/**
 * A refusal that the operator can put right: a wrong setting, a directory in use, a taken port. Its message says what is wrong,
 * where, and what to do. The site and the command line print it alone, without a stack, and exit with status 1.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}
