import type { App } from '../platform/http/index.ts';
import { anyone } from '../platform/http/index.ts';
import { forbidden, Problem } from '../platform/problem/index.ts';
import type { MetricsDeps } from './collect-metrics.ts';
import { metricsGuard } from './may-read-metrics.ts';

/** What Prometheus reads: numbers about this process and what waits in the database, and nothing about anybody. */
export function metricsRoute(app: App, deps: MetricsDeps): void {
  const mayRead = metricsGuard(deps);
  let collector: Promise<() => Promise<{ type: string; text: string }>> | undefined;
  app.get('/metrics', { config: { access: anyone }, schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request))
      throw new Problem(
        forbidden,
        'Metrics are for programs on the site’s own machine, and for those that send the token in ONWARD_METRICS_TOKEN_FILE.',
      );
    // Loaded when the first one asks: a site that nobody watches pays for counting alone.
    collector ??= import('./collect-metrics.ts').then(({ createCollector }) => createCollector(app, deps));
    const { type, text } = await (await collector)();
    return reply.type(type).header('cache-control', 'no-store').send(text);
  });
}
