import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../app/until.ts';
import { storedEntries } from '../audit/stored.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { storedImports, storedServices } from '../library/stored.ts';
import { feedServer, sendJson } from '../network/feed-server.ts';
import { readySite } from '../process/ready-site.ts';
import type { SiteProcess } from '../process/site-process.ts';

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
  it('keeps what it stored, and is listed and audited as stopped', async () => {
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
    await inDatabaseOf(site, async ({ db }) => {
      const services = (await storedServices(db)).filter(({ id }) => id.startsWith('endless-'));
      expect(services.length).toBeGreaterThan(400);
      const listed = (await storedImports(db)).filter(({ name }) => name === feed.base);
      expect(listed).toMatchObject([{ state: 'failed' }]);
      const auditRefusals = await storedEntries(db, { action: 'library.imported' });
      expect(auditRefusals.at(-1)!.details).toMatchObject({ interrupted: true });
    });
  });
});
