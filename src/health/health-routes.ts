import { Type } from 'typebox';
import { ping } from '../platform/database/index.ts';
import { type App, anyone } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem, unavailable } from '../platform/problem/index.ts';

/** `/healthz`: this process answers. `/readyz`: it can also serve, so a load balancer may send it people. */
export function healthRoutes(app: App, deps: Platform & { readonly workerIsHealthy: () => boolean }): void {
  const schema = { hide: true, response: { 200: Type.Object({ status: Type.Literal('ok') }) } };
  app.get('/healthz', { config: { access: anyone }, schema }, (_request, reply) => {
    reply.send({ status: 'ok' });
  });
  app.get('/readyz', { config: { access: anyone }, schema }, async () => {
    await ping(deps.db).catch(() => {
      throw new Problem(unavailable, 'The database does not answer.');
    });
    if (!deps.workerIsHealthy())
      throw new Problem(unavailable, 'The worker, which delivers referrals, is not running.');
    return { status: 'ok' as const };
  });
}
