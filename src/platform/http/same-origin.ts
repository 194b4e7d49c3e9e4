import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notSameOrigin, Problem } from '../problem/index.ts';
import type { Settings } from '../settings/index.ts';
import { addCheck, isSafe } from './route-checks.ts';

/**
 * Refuses forms that another site makes a browser send: an unsafe request to a page is accepted only if the browser says that
 * it comes from this site. The API is called with a token and no cookie, so it needs no such check.
 */
export function requireSameOrigin(app: FastifyInstance, settings: Settings): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.page || isSafe(route)) return;
    addCheck(route, (request, _reply, done) => {
      if (comesFromThisSite(request, settings.baseUrl)) return done();
      done(new Problem(notSameOrigin, 'Open the page on this site and send its form again.'));
    });
  });
}

function comesFromThisSite({ headers }: FastifyRequest, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === baseUrl;
}
