import { enableCompileCache } from 'node:module';

// Before anything else is loaded: compiled code is kept between starts, which halves the time to ready.
enableCompileCache();

const { runSite } = await import('./run-site.ts');
await runSite();
