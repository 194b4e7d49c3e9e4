import { keepCompiledCode } from '../platform/compile-cache.ts';

keepCompiledCode();
const { runCommandLine, tolerateEarlyReaders } = await import('./run-command-line.ts');

tolerateEarlyReaders();
process.exitCode = await runCommandLine(process.argv.slice(2));
