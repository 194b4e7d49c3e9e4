import { createReadStream } from 'node:fs';
import { actorOf, requireCaller } from '../accounts/index.ts';
import { importPostcodes, importPractices, placeInWords, spooled } from '../library/index.ts';
import { fieldProblem, formProblem } from '../platform/html/index.ts';
import { type App, installUploads, openUpload, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';

const path = '/operator/library/lists';
const mostMegabytes = 100;
const mostShown = 200;

/** What is read in from a CSV file at once: it is matched by its codes, so a second time changes nothing. */
const lists = {
  practices: {
    title: 'Read in GP practices',
    columns: 'ods_code, name, address, city, postcode, latitude, longitude, phone',
    needed: 'The first two are needed.',
    read: importPractices,
    known: '/operator/practices',
  },
  postcodes: {
    title: 'Read in postcodes',
    columns: 'postcode, latitude, longitude',
    needed: 'The ONS Postcode Directory has them, among others.',
    read: importPostcodes,
    known: '/services',
  },
} as const;

/** Where an operator reads in GP practices, and where the postcodes of the area are. */
export function csvPages(app: App, deps: WebPlatform): void {
  for (const [name, list] of Object.entries(lists)) {
    const shown = { list, action: `${path}/${name}`, mostMegabytes };
    const config = page(signedIn('operator'), { fresh: `${path}/${name}` });
    const template = 'operator/templates/csv.njk';
    app.get(`${path}/${name}`, { config: page(signedIn('operator')) }, (request, reply) =>
      deps.pages.send(request, reply, template, shown),
    );
    installUploads(app, mostMegabytes * 1024 * 1024, (scope) => {
      scope.post(`${path}/${name}`, { config }, async (request, reply) => {
        const actor = actorOf(requireCaller(request), request.ip);
        try {
          const { name: fileName, content } = await openUpload(request);
          // On disk first: a request has a minute to arrive, and what is read from it may take longer to be stored.
          const result = await spooled(content, async (file) =>
            fileName === '' ? undefined : list.read(deps, actor, createReadStream(file)),
          );
          if (result === undefined) {
            const errors = fieldProblem('file', 'Choose a file');
            return deps.pages.send(request, reply.code(unprocessable.status), template, { ...shown, errors });
          }
          const problems = result.problems.slice(0, mostShown).map((each) => ({
            ...each,
            place: placeInWords(each),
            record: each.id,
          }));
          const unnamed = result.rejected - new Set(problems.map(({ place }) => place)).size;
          return deps.pages.send(request, reply, template, { ...shown, result, problems, unnamed });
        } catch (error) {
          if (!(error instanceof Problem) || error.kind.status >= 500) throw error;
          reply.code(error.kind.status);
          const errors = formProblem({ file: 'The file' }, error);
          return deps.pages.send(request, reply, template, { ...shown, errors });
        }
      });
    });
  }
}
