import { keepCompiledCode } from './platform/process/compile-cache.ts';

keepCompiledCode();

// Listen at once: a site may be told to stop while it is still loading.
const stopRequested = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => resolve());
});

const { runSite } = await import('./run-site.ts');
await runSite(stopRequested);
