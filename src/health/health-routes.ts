import { Type } from 'typebox';
import { type App, anyone } from '../platform/http/index.ts';
import { Problem, unavailable } from '../platform/problem/index.ts';
import { version } from '../platform/process/version.ts';
import { type ReadinessDeps, whyNotReady } from './readiness.ts';

/** `/healthz`: this process answers, with its version. `/readyz`: it can serve requests, so a load balancer may use it. */
export function healthRoutes(app: App, deps: ReadinessDeps): void {
  const status = Type.Literal('ok');
  const alive = { hide: true, response: { 200: Type.Object({ status, version: Type.String() }) } };
  app.get('/healthz', { config: { access: anyone }, schema: alive }, (_request, reply) => {
    reply.send({ status: 'ok', version });
  });
  const schema = { hide: true, response: { 200: Type.Object({ status }) } };
  app.get('/readyz', { config: { access: anyone }, schema }, async () => {
    const reason = await whyNotReady(deps);
    if (reason) throw new Problem(unavailable, reason);
    return { status: 'ok' as const };
  });
}
