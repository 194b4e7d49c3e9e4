import { keepCompiledCode } from '../platform/process/compile-cache.ts';

keepCompiledCode();
const { runCommandLine, ignoreClosedOutput } = await import('./run-command-line.ts');

ignoreClosedOutput();
process.exitCode = await runCommandLine(process.argv.slice(2));
