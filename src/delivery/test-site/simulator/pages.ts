import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { readUntrimmedFields, successBanner } from '../../../platform/html/index.ts';
import { type App, anyForm, noOtherFields, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import { laterFirstName, stories } from '../stories.ts';
import { listSimulations } from './list-simulations.ts';
import { moveOn } from './move-on.ts';
import type { SimulatorDeps } from './simulate.ts';
import { type TimeSpan, timeSpans } from './time-spans.ts';

const config = page(signedIn());
const path = '/outbox/simulator';
const pageSize = 10;

const done = successBanner({ moved: 'Time has been moved on. What was due by then has happened.' });

/** For users of a test site: the stories, what will happen next in each, and buttons that move time on. */
export function simulatorPages(app: App, deps: SimulatorDeps & WebPlatform): void {
  const querystring = Type.Object(
    { cursor: Type.Optional(Type.String({ maxLength: 100 })), done: done.query },
    noOtherFields,
  );
  app.get(path, { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const { cursor } = request.query;
    const caller = requireCaller(request);
    const { items, next_cursor } = await listSimulations(deps, caller, { cursor, limit: pageSize });
    return deps.pages.send(request, reply, 'delivery/templates/simulator.njk', {
      simulations: items.map((each) => ({ ...each, movedOn: hoursInWords(each.moved_on_seconds) })),
      older: next_cursor,
      cursor,
      stories,
      laterFirstName,
      done: done.words(request.query.done),
    });
  });

  const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
  app.post(
    `${path}/:id`,
    { config, schema: { hide: true, params, body: anyForm } },
    async (request, reply) => {
      const { by } = readUntrimmedFields(request.body, ['by']);
      if (!isSpan(by)) throw new Problem(notFound);
      await moveOn(deps, requireCaller(request), { id: request.params.id, by, ipAddress: request.ip });
      return reply.redirect(done.path(path, 'moved'), 303);
    },
  );
}

function isSpan(text: string): text is TimeSpan {
  return (timeSpans as readonly string[]).includes(text);
}

function hoursInWords(seconds: number): string {
  const hours = Math.round(seconds / 3600);
  const countInWords = (count: number, unit: string) =>
    count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  return [...countInWords(Math.floor(hours / 24), 'day'), ...countInWords(hours % 24, 'hour')].join(' and ');
}
