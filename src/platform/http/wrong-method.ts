import type { FastifyInstance, FastifyRequest } from 'fastify';
import { methodNotAllowed, notFound, Problem } from '../problem/index.ts';

/** Said of addresses that are nobody's alone: what is there and not yours is answered as what is not there. */
const noSuchAddress = 'The API has no such address: see /api/docs for those that it has.';

type Known = { readonly method: string; readonly shape: RegExp };

/**
 * What to answer where no route takes a request: that there is nothing here, or, where the address takes other methods,
 * which ones (RFC 9110, section 15.5.6). It tells no more than the API's description does.
 */
export function whatIsMissing(app: FastifyInstance): (request: FastifyRequest) => Problem {
  const known: Known[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return;
    const pattern = url.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+');
    const shape = new RegExp(`^${pattern}/?$`);
    for (const each of [method].flat()) known.push({ method: each, shape });
  });
  return ({ raw }) => {
    const path = raw.url?.split('?', 1)[0] ?? '';
    const allowed = [...new Set(known.filter(({ shape }) => shape.test(path)).map(({ method }) => method))];
    if (allowed.length === 0)
      return new Problem(notFound, path.startsWith('/api/') ? noSuchAddress : undefined);
    const allow = allowed.sort().join(', ');
    return new Problem(methodNotAllowed, `This address takes ${allow}.`, { headers: { allow } });
  };
}
