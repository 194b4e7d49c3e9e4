import { afterAll } from 'vitest';
import { readySite } from '../process/ready-site.ts';
import { openBrowser } from './open-browser.ts';

/** A site with the sample and a real Chromium, for the tests of one file. Both end after them. */
export async function siteInBrowser(env: Record<string, string> = {}) {
  const [site, browser] = await Promise.all([readySite(env), openBrowser()]);
  afterAll(async () => {
    await browser.close();
    await site.remove();
  });
  return { site, browser };
}
