import { keepCompiledCode } from './platform/compile-cache.ts';

keepCompiledCode();

// Listened for from the first moment, so that a site that is told to stop while it loads also stops in good order.
const stopRequested = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => resolve());
});

const { runSite } = await import('./site.ts');
await runSite(stopRequested);
