import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { takeJobs } from '../../../test/app/jobs.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { storedServices } from '../../../test/library/stored.ts';
import { feedServer, sendJson } from '../../../test/network/feed-server.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { listImportJobs } from './job-store.ts';
import { importPreviewed, previewFeed } from './request-import.ts';
import { runImportJob } from './run-import-job.ts';
import { importScheduledFeeds, nextRunOf, unscheduleFeed } from './scheduled-feeds.ts';
import { listScheduledFeeds } from './scheduled-feeds-store.ts';

// An operator imports another library once and has the site do it every night from then on.

let site: TestApp;
let feed: Awaited<ReturnType<typeof feedServer>>;
let operator: { id: string; name: string; email: string };
beforeAll(async () => {
  [site, feed] = await Promise.all([makeApp(), feedServer()]);
  moveTo('2026-11-27T14:00:00Z');
  const { id, email } = await anAccount(site.deps, { role: 'operator' });
  operator = { id, name: 'Olive Operator', email };
  lists('a');
});
afterAll(() => Promise.all([site.close(), feed.close()]));

function lists(...ids: string[]) {
  const contents = ids.map((id) => ({ id, name: `Service ${id}`, status: 'active' }));
  feed.answers((request, response) => {
    const one = contents.find(({ id }) => request.url?.includes(`/services/${id}?`));
    sendJson(response, one ?? { total_items: ids.length, total_pages: 1, page_number: 1, contents });
  });
}

async function runImport(id: string) {
  await runImportJob(site.deps, { import_id: id });
  return id;
}

function moveTo(time: string) {
  site.clock.moveOn(Date.parse(time) - site.clock.now().getTime());
}

/** The night’s job, and the imports that it queued. */
async function night(to: string) {
  moveTo(to);
  await importScheduledFeeds(site.deps);
  const jobs = await takeJobs(site.deps.pool, { name: 'import-library' });
  for (const { payload } of jobs) await runImport(payload.import_id);
  return jobs.length;
}

describe('a scheduled feed', () => {
  it('is imported each night, with the key in its address', async () => {
    const preview = await previewFeed(site.deps, operator, {
      address: `${feed.base}?key=hush-hush`,
      isComplete: false,
    });
    await runImport(preview);
    await runImport(await importPreviewed(site.deps, operator, preview, 'night'));
    await takeJobs(site.deps.pool, { name: 'import-library' });
    const [scheduled] = await listScheduledFeeds(site.deps.db);
    expect(scheduled).toMatchObject({
      name: `${feed.base}?key=…`,
      everyDays: 1,
      scheduledBy: 'Olive Operator',
    });
    expect(nextRunOf(scheduled!)).toEqual(new Date('2026-11-28T03:29:00Z'));

    lists('a', 'b');
    expect(await night('2026-11-27T23:00:00Z')).toBe(0);
    expect(await night('2026-11-28T03:29:00Z')).toBe(1);
    expect((await storedServices(site.deps.db)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(feed.asked.length).toBeGreaterThan(0);
    for (const asked of feed.asked) expect(asked).toContain('key=hush-hush');
    const [job] = await listImportJobs(site.deps.db, 1);
    expect(job).toMatchObject({
      state: 'done',
      startedBy: 'the site, as Olive Operator chose',
      isScheduled: true,
    });
    expect(await textOfTable(site.deps.db, 'scheduled_feeds')).not.toContain('hush-hush');
    // A second process does the same at the same time.
    await Promise.all([importScheduledFeeds(site.deps), importScheduledFeeds(site.deps)]);
    expect(await takeJobs(site.deps.pool, { name: 'import-library' })).toEqual([]);
  });

  it('tells operators once of a failure, until it works again', async () => {
    const mails = async () => (await mailsTo(site, operator.email)).map(({ subject }) => subject);
    feed.answers((_request, response) => void response.writeHead(404).end());
    await night('2026-11-29T03:29:00Z');
    await night('2026-11-30T03:29:00Z');
    expect(await mails()).toEqual(['A scheduled import failed – Onward test site']);
    const [mail] = await mailsTo(site, operator.email);
    expect(mail!.text).toContain('/operator/library/imports/');
    expect(mail!.text).not.toContain('hush-hush');
    lists('a');
    await night('2026-12-01T03:29:00Z');
    feed.answers((_request, response) => void response.writeHead(404).end());
    await night('2026-12-02T03:29:00Z');
    expect(await mails()).toHaveLength(2);
  });

  it('is not started beside an import of it that still waits', async () => {
    lists('a');
    const preview = await previewFeed(site.deps, operator, {
      address: `${feed.base}?key=hush-hush`,
      isComplete: false,
    });
    await runImport(preview);
    const waiting = await importPreviewed(site.deps, operator, preview);
    await takeJobs(site.deps.pool, { name: 'import-library' });
    expect(await night('2026-12-03T03:29:00Z')).toBe(0);
    await runImport(waiting);
    expect(await night('2026-12-03T03:40:00Z')).toBe(1);
  });

  it('is imported no more once an operator stops it', async () => {
    const { name } = (await listScheduledFeeds(site.deps.db))[0]!;
    await unscheduleFeed(site.deps, operator, name);
    expect(await night('2026-12-10T03:29:00Z')).toBe(0);
    await expect(unscheduleFeed(site.deps, operator, name)).rejects.toThrow('Not found');
    const [entry] = await storedEntries(site.deps.db, { action: 'library.feed_unscheduled' });
    expect(entry).toMatchObject({ actor_name: 'Olive Operator', details: { source: name } });
  });
});
