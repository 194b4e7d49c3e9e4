import { createReadStream } from 'node:fs';
import { actorOf, recentSignInMinutes, requireCaller } from '../../accounts/index.ts';
import { importPostcodes, importPractices, withTemporaryFile } from '../../exchange/index.ts';
import { fieldError, toFormErrors } from '../../platform/html/index.ts';
import {
  type App,
  installUploads,
  openUpload,
  page,
  type Reply,
  type Request,
  signedIn,
} from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { leftOutView } from './import-view.ts';

const path = '/operator/library/lists';
const maxMegabytes = 100;
/** How recent the sign-in must be to open the form. Choosing and sending the file may take as long again. */
const minutesToSend = recentSignInMinutes;

/** Lists that are imported from a CSV file. Rows are matched by their codes, so importing a file again changes nothing. */
const lists = {
  practices: {
    title: 'Import GP practices',
    columns: 'ods_code, name, address, city, postcode, latitude, longitude, phone, closed_on, list_size',
    note: 'The first two are needed.',
    importFile: importPractices,
    resultHref: '/operator/practices',
  },
  postcodes: {
    title: 'Import postcodes',
    columns: 'postcode, latitude, longitude, imd_decile, imd_year',
    note: 'The first three are needed. The ONS Postcode Directory has them, among others.',
    importFile: importPostcodes,
    resultHref: '/services',
  },
} as const;

/** The pages on which an operator imports GP practices and postcodes. */
export function csvPages(app: App, deps: WebPlatform): void {
  for (const [name, list] of Object.entries(lists)) {
    const context = { list, action: `${path}/${name}`, maxMegabytes, minutesToSend };
    const formPath = `${path}/${name}`;
    // A file cannot be kept while its sender signs in again, so the form allows time to send it.
    const uploadConfig = page(signedIn('operator'), {
      needsRecentSignIn: true,
      returnTo: formPath,
      signedInWithinMinutes: 2 * minutesToSend,
    });
    const show = (request: Request, reply: Reply, more: object = {}) =>
      deps.pages.send(request, reply, 'operator/library/templates/csv.njk', { ...context, ...more });
    app.get(formPath, { config: page(signedIn('operator'), { needsRecentSignIn: true }) }, (request, reply) =>
      show(request, reply),
    );
    installUploads(app, maxMegabytes * 1024 * 1024, (scope) => {
      scope.post(formPath, { config: uploadConfig }, async (request, reply) => {
        try {
          const result = await importUpload(deps, request, list.importFile);
          if (result === undefined) {
            const errors = fieldError('file', 'Choose a file');
            return show(request, reply.code(unprocessable.status), { errors });
          }
          return show(request, reply, { result, leftOutLists: leftOutView(result.leftOut, result) });
        } catch (error) {
          requireRefusal(error);
          const errors = toFormErrors({ file: 'The file' }, error);
          return show(request, reply.code(error.kind.status), { errors });
        }
      });
    });
  }
}

/** Imports the uploaded file. @returns the result; undefined if no file was chosen. */
async function importUpload(
  deps: WebPlatform,
  request: Request,
  importFile: (typeof lists)[keyof typeof lists]['importFile'],
) {
  const actor = actorOf(requireCaller(request), request.ip);
  const { name, content } = await openUpload(request);
  // Saved to disk first: a request must arrive within a minute, and storing its rows may take longer.
  return withTemporaryFile(content, async (file) =>
    name === '' ? undefined : importFile(deps, actor, createReadStream(file)),
  );
}
