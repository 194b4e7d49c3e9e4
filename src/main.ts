import { keepCompiledCode } from './keep-compiled.ts';

keepCompiledCode();

// Listened for from the first moment, so that a site that is told to stop while it loads stops in good order too.
const toldToStop = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => resolve());
});

const { runSite } = await import('./run-site.ts');
await runSite(toldToStop);
