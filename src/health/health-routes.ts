import { Type } from 'typebox';
import { type App, anyone } from '../platform/http/index.ts';
import { Problem, unavailable } from '../platform/problem/index.ts';
import { type ReadinessDeps, whatIsAmiss } from './readiness.ts';

/** `/healthz`: this process answers. `/readyz`: it can also serve, so a load balancer may send it people. */
export function healthRoutes(app: App, deps: ReadinessDeps): void {
  const schema = { hide: true, response: { 200: Type.Object({ status: Type.Literal('ok') }) } };
  app.get('/healthz', { config: { access: anyone }, schema }, (_request, reply) => {
    reply.send({ status: 'ok' });
  });
  app.get('/readyz', { config: { access: anyone }, schema }, async () => {
    const amiss = await whatIsAmiss(deps);
    if (amiss) throw new Problem(unavailable, amiss);
    return { status: 'ok' as const };
  });
}
