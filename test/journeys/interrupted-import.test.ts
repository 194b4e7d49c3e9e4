import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readySite } from '../app/ready-site.ts';
import type { SiteProcess } from '../app/site-process.ts';
import { until } from '../app/until.ts';
import { askDatabase } from '../database/ask-database.ts';
import { feedServer, sendJson } from '../network/feed-server.ts';

// Somebody reads in a feed that never ends, and presses Ctrl+C.

let site: SiteProcess;
let feed: Awaited<ReturnType<typeof feedServer>>;
beforeAll(async () => {
  [site, feed] = await Promise.all([readySite(), feedServer()]);
});
afterAll(async () => {
  feed.close();
  await site.remove();
});

const root = join(import.meta.dirname, '..', '..');
const command = ['src/cli/main.ts'];

describe('an import that is interrupted', () => {
  test('keeps what it stored, and is listed and audited as stopped', async () => {
    feed.answers((_request, response, query) => {
      const page = Number(query.get('page'));
      const contents = Array.from({ length: 100 }, (_, index) => ({
        id: `endless-${page}-${index}`,
        name: `Endless ${page}`,
        status: 'active',
        phones: [],
      }));
      sendJson(response, { total_items: 1_000_000, last_page: false, contents });
    });
    const words = [...command, 'library', 'import', feed.base];
    const child = spawn(process.execPath, words, { cwd: root, env: site.env });
    const said = text(child.stderr);
    const ended = once(child, 'exit');
    await until(() => feed.asked.length > 15);
    child.kill('SIGINT');
    expect(await ended).toEqual([1, null]);
    expect(await said).toBe('It was stopped by hand. What was stored until then stays.\n');
    const [found] = await askDatabase<object>(
      site,
      `select (select count(*)::int from services where id like 'endless-%') > 400 as stored,
      (select state from library_imports where name = $1) as state,
      (select details ->> 'interrupted' from audit_entries where action = 'library.imported' order by id desc limit 1)
        as interrupted`,
      [feed.base],
    );
    expect(found).toEqual({ stored: true, state: 'failed', interrupted: 'true' });
  });
});
