import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { siteActor } from '../../audit/index.ts';
import { importFeed } from './import-feed.ts';

let site: TestApp;
const waits: number[] = [];
const pause = (ms: number) => Promise.resolve(void (ms > 100 && waits.push(ms)));

beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('a test site', () => {
  it.each([
    ['https://example.org/feed', 'This site may not call that address'],
    ['http://10.0.0.1/feed', 'This site may not call that address'],
    ['file:///etc/passwd', 'must be the address of a feed'],
    ['http://me:secret@127.0.0.1/', 'must have no name or password'],
  ])('does not call %s', async (address, why) => {
    const refusal = await importFeed(site.deps, siteActor, address, { timing: { pause } }).catch(
      (error) => error,
    );
    expect([refusal.detail, refusal.errors?.[0].message].join(' ')).toContain(why);
    expect(waits).toEqual([]);
  });
});
