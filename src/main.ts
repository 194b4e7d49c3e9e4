// From the first moment on: whoever ends a site while it is still being loaded ends it in good order, too.
const toldToStop = new Promise<void>((told) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => told());
});

const { runSite } = await import('./run-site.ts');
await runSite(toldToStop);
