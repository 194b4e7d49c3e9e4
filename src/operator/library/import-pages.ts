import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../accounts/index.ts';
import type { Actor } from '../../audit/index.ts';
import {
  discardImport,
  feedIntervals,
  findImportJob,
  findLeftOutCsv,
  type ImportJob,
  importPreviewed,
  listImportJobs,
  listScheduledFeeds,
  nextRunOf,
  previewFeed,
  previewFile,
  previewUndo,
  requestUndo,
  stopImport,
  unscheduleFeed,
} from '../../exchange/index.ts';
import {
  countMarkedByWords,
  findExampleDistrict,
  listNamesOfImport,
  servicePath,
} from '../../library/index.ts';
import { readUntrimmedFields, successBanner, toFormErrors } from '../../platform/html/index.ts';
import {
  type App,
  anyForm,
  installUploads,
  openUpload,
  page,
  type Reply,
  type Request,
  signedIn,
} from '../../platform/http/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem, requireRefusal } from '../../platform/problem/index.ts';
import { importView, undoInWords } from './import-view.ts';

const path = '/operator/library';
const listTemplate = 'operator/library/templates/library.njk';
const importTemplate = 'operator/library/templates/library-import.njk';
const undoTemplate = 'operator/library/templates/undo-import.njk';
const maxMegabytes = 100;
const maxListed = 50;
/** How many new services the page of an import names, and how many changed ones. */
const maxNamed = 10;
const labels = { file: 'The file', source: 'The name', address: 'The address' };
const done = successBanner({
  discarded: 'The import was discarded. The library is unchanged.',
  unscheduled: 'The site no longer imports this feed by itself. Its services stay in the library.',
});
const querystring = Type.Object({ done: done.query });
const params = Type.Object({ id: Type.String() });
const config = page(signedIn('operator'));

/** The pages to import other libraries: each is previewed first, then imported by a job. */
export function libraryPages(app: App, deps: WebPlatform): void {
  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    sendList(deps, request, reply, { done: done.words(request.query.done) }),
  );
  previewForms(app, deps);
  importPage(app, deps);
  importForms(app, deps);
  undoPages(app, deps);
}

function previewForms(app: App, deps: WebPlatform): void {
  installUploads(app, maxMegabytes * 1024 * 1024, (scope) => {
    scope.post(`${path}/files`, { config }, (request, reply) =>
      startPreview(deps, request, reply, {}, async () => {
        const { fields, ...file } = await openUpload(request, ['source', 'complete']);
        const { source = '', complete } = fields;
        const options = { sourceName: source.trim(), isComplete: complete === 'yes' };
        return previewFile(deps, operatorOf(request), file, options);
      }),
    );
  });

  app.post(`${path}/feeds`, { config, schema: { body: anyForm } }, (request, reply) => {
    const values = readUntrimmedFields(request.body, ['address', 'complete']);
    return startPreview(deps, request, reply, values, () =>
      previewFeed(deps, operatorOf(request), {
        address: values.address,
        isComplete: values.complete === 'yes',
      }),
    );
  });
}

/** The page of one import: its result, and what it left out. */
function importPage(app: App, deps: WebPlatform): void {
  app.get(`${path}/imports/:id`, { config, schema: { params } }, async (request, reply) => {
    const job = await requireImport(deps, request.params.id);
    const canUndo = (await previewUndo(deps, job)) !== undefined;
    return deps.pages.send(request, reply, importTemplate, {
      job: importView(job, deps.clock.now()),
      canUndo,
      named: await namedServices(deps, job),
      markedByWords: job.dryRun ? 0 : await countMarkedByWords(deps.db, job.id),
      needsPostcodes: (await findExampleDistrict(deps.db)) === undefined,
    });
  });

  app.get(`${path}/imports/:id/left-out.csv`, { config, schema: { params } }, async (request, reply) => {
    const { id } = await requireImport(deps, request.params.id);
    const csv = await findLeftOutCsv(deps.db, id);
    if (csv === undefined) throw new Problem(notFound);
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="left-out.csv"');
    return reply.send(csv);
  });
}

/** The forms that import what was previewed, stop it or discard it, and end a scheduled import. */
function importForms(app: App, deps: WebPlatform): void {
  // An import can change how every service is reached, so it needs a recent sign-in.
  const importConfig = page(signedIn('operator'), {
    needsRecentSignIn: true,
    returnTo: `${path}/imports/:id`,
  });
  app.post(
    `${path}/imports/:id/import`,
    { config: importConfig, schema: { params, body: anyForm } },
    async (request, reply) => {
      const { id } = await requireImport(deps, request.params.id);
      const { again } = readUntrimmedFields(request.body, ['again']);
      const interval = isFeedInterval(again) ? again : undefined;
      const importId = await importPreviewed(deps, operatorOf(request), id, interval);
      return reply.redirect(`${path}/imports/${importId}`, 303);
    },
  );

  app.post(`${path}/imports/:id/stop`, { config, schema: { params } }, async (request, reply) => {
    const { id } = await requireImport(deps, request.params.id);
    await stopImport(deps, operatorOf(request), id);
    return reply.redirect(`${path}/imports/${id}`, 303);
  });

  app.post(`${path}/imports/:id/discard`, { config, schema: { params } }, async (request, reply) => {
    const { id } = await requireImport(deps, request.params.id);
    await discardImport(deps, id);
    return reply.redirect(done.path(path, 'discarded'), 303);
  });

  app.post(`${path}/feeds/unschedule`, { config, schema: { body: anyForm } }, async (request, reply) => {
    const { name } = readUntrimmedFields(request.body, ['name']);
    await unscheduleFeed(deps, operatorOf(request), name);
    return reply.redirect(done.path(path, 'unscheduled'), 303);
  });
}

/** What undoing an import would change, and the form that undoes it. */
function undoPages(app: App, deps: WebPlatform): void {
  const undoConfig = page(signedIn('operator'), {
    needsRecentSignIn: true,
    returnTo: `${path}/imports/:id/undo`,
  });
  app.get(`${path}/imports/:id/undo`, { config, schema: { params } }, async (request, reply) => {
    const job = await requireImport(deps, request.params.id);
    const undo = await previewUndo(deps, job);
    if (!undo) throw new Problem(notFound);
    return deps.pages.send(request, reply, undoTemplate, {
      job: importView(job, deps.clock.now()),
      lines: undoInWords(undo),
    });
  });

  app.post(`${path}/imports/:id/undo`, { config: undoConfig, schema: { params } }, async (request, reply) => {
    const { id } = await requireImport(deps, request.params.id);
    await requestUndo(deps, operatorOf(request), id);
    return reply.redirect(`${path}/imports/${id}`, 303);
  });
}

/**
 * The first services that an import added and changed, or that its preview would, with how many there are; none while it runs or once it was
 * undone.
 */
async function namedServices({ db }: WebPlatform, job: ImportJob) {
  const { id, dryRun, endedAt, undoState, counts, wouldChange } = job;
  if (dryRun && wouldChange && counts) {
    const kinds = [
      { kind: 'created', heading: 'New services' },
      { kind: 'updated', heading: 'Services that would change' },
      { kind: 'inactive', heading: 'Services that would become inactive' },
    ] as const;
    const groups = kinds.map(({ kind, heading }) => ({
      heading,
      count: counts[kind],
      services: wouldChange[kind].map((service) => ({
        name: service.name,
        // A new service has no page yet.
        href: kind === 'created' ? undefined : servicePath(service.id),
      })),
    }));
    return groups.filter(({ services }) => services.length > 0);
  }
  if (dryRun || endedAt === null || undoState !== null || !counts) return [];
  const groups = [
    { heading: 'New services', isNew: true, count: counts.created },
    { heading: 'Changed services', isNew: false, count: counts.updated },
  ];
  const named = groups.map(async ({ isNew, ...group }) => {
    const services = await listNamesOfImport(db, id, { isNew, limit: maxNamed });
    return { ...group, services: services.map(({ id, name }) => ({ name, href: servicePath(id) })) };
  });
  return (await Promise.all(named)).filter(({ services }) => services.length > 0);
}

function isFeedInterval(text: string): text is keyof typeof feedIntervals {
  return Object.hasOwn(feedIntervals, text);
}

function operatorOf(request: Request): Actor & { id: string } {
  const caller = requireCaller(request);
  return { ...actorOf(caller, request.ip), id: caller.accountId };
}

async function sendList(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  context: object = {},
): Promise<Reply> {
  const imports = (await listImportJobs(deps.db, maxListed)).map((job) => importView(job, deps.clock.now()));
  const scheduled = await listScheduledFeeds(deps.db);
  const feeds = scheduled.map((feed) => ({ ...feed, nextRun: nextRunOf(feed) }));
  const markedByWords = await countMarkedByWords(deps.db);
  return deps.pages.send(request, reply, listTemplate, {
    imports,
    feeds,
    markedByWords,
    maxMegabytes,
    ...context,
  });
}

/** Starts a preview and goes to its page, or shows the form again with what is wrong. */
async function startPreview(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  values: object,
  start: () => Promise<string>,
): Promise<Reply> {
  try {
    return reply.redirect(`${path}/imports/${await start()}`, 303);
  } catch (error) {
    requireRefusal(error);
    reply.code(error.kind.status);
    return sendList(deps, request, reply, { values, errors: toFormErrors(labels, error) });
  }
}

/** @throws Problem `not-found`. */
function requireImport({ db }: WebPlatform, id: string): Promise<ImportJob> {
  return requireById(id, (id) => findImportJob(db, id));
}
