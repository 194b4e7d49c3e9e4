import { type App, anyone, type Request } from '../platform/http/index.ts';
import { createIpAddressList } from '../platform/ip-addresses/index.ts';
import type { Platform } from '../platform/platform.ts';
import { forbidden, Problem } from '../platform/problem/index.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import { readSecretFile, type Settings } from '../platform/settings/index.ts';
import type { MetricsDeps } from './collect-metrics.ts';

/** What Prometheus reads: numbers about this process and what waits in the database, and no personal data. */
export function metricsRoute(app: App, deps: MetricsDeps): void {
  const mayRead = metricsGuard(deps);
  let collector: Promise<() => Promise<{ type: string; text: string }>> | undefined;
  app.get('/metrics', { config: { access: anyone }, schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request))
      throw new Problem(
        forbidden,
        'Metrics are for programs on the site’s own machine, and for those that send the token in ONWARD_METRICS_TOKEN_FILE.',
      );
    // Loaded on first use.
    collector ??= import('./collect-metrics.ts').then(({ createCollector }) => createCollector(deps));
    const { type, text } = await (await collector)();
    return reply.type(type).header('cache-control', 'no-store').send(text);
  });
}

const loopback = createIpAddressList(['127.0.0.0/8', '::1']);
const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Allows requests by programs on this machine, and those with the token. @throws StartupError */
function metricsGuard({ settings, secrets }: Platform): (request: Request) => boolean {
  const token = readMetricsToken(settings);
  const tokenHash = token === undefined ? undefined : secrets.hash('metrics token', token);
  return (request) => {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    // How long it takes to compare keyed hashes reveals nothing about the token.
    if (bearer !== undefined && tokenHash?.equals(secrets.hash('metrics token', bearer))) return true;
    return isFromThisMachine(request);
  };
}

/**
 * A proxy on this machine that is not in ONWARD_TRUSTED_PROXIES makes every request look local, so requests with forwarding
 * headers are refused. The check of the host prevents DNS rebinding: a page in a browser on this machine could call this
 * address by a name of its own.
 */
function isFromThisMachine({ ip, ips, headers }: Request): boolean {
  const isForwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
  const hasTrustedProxy = (ips?.length ?? 1) > 1;
  if (isForwarded && !hasTrustedProxy) return false;
  return loopback.has(ip) && loopbackHost.test(headers.host ?? '');
}

/** The token that opens `/metrics`, if the settings name its file. @throws StartupError if the file has no such token. */
export function readMetricsToken({ metricsTokenFile: path }: Settings): string | undefined {
  if (path === undefined) return undefined;
  const token = readSecretFile(path);
  // Header values allow visible ASCII only.
  if (token !== undefined && /^[!-~]{20,1000}$/.test(token)) return token;
  throw new StartupError(
    'ONWARD_METRICS_TOKEN_FILE must name a file that can be read and holds a token of 20 to 1000 characters without spaces. ' +
      'For example: ONWARD_METRICS_TOKEN_FILE=/etc/onward/metrics.token, made with: openssl rand -hex 32',
  );
}
