import { createReadStream } from 'node:fs';
import { actorOf, requireCaller } from '../../accounts/index.ts';
import { importPostcodes, importPractices, spooled } from '../../exchange/index.ts';
import { fieldProblem, formProblem } from '../../platform/html/index.ts';
import { type App, installUploads, openUpload, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { leftOutView } from './import-view.ts';

const path = '/operator/library/lists';
const maxMegabytes = 100;
/** As long as a sign-in opens sensitive pages. */
const minutesToSend = 15;

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
    const shown = { list, action: `${path}/${name}`, maxMegabytes, minutesToSend };
    const fresh = `${path}/${name}`;
    // Nobody keeps a file while its sender signs in: whoever is shown the form has its minutes to send it in.
    const sending = page(signedIn('operator'), { fresh, freshForMinutes: 2 * minutesToSend });
    const template = 'operator/templates/csv.njk';
    app.get(fresh, { config: page(signedIn('operator'), { fresh }) }, (request, reply) =>
      deps.pages.send(request, reply, template, shown),
    );
    installUploads(app, maxMegabytes * 1024 * 1024, (scope) => {
      scope.post(fresh, { config: sending }, async (request, reply) => {
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
          const lists = leftOutView(result.leftOut, result);
          return deps.pages.send(request, reply, template, { ...shown, result, lists });
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
