import { keepCompiledCode } from '../platform/compile-cache.ts';

keepCompiledCode();
const { runCommandLine, allowEarlyReaders } = await import('./run-command-line.ts');

allowEarlyReaders();
process.exitCode = await runCommandLine(process.argv.slice(2));
