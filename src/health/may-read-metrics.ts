import { addressList } from '../platform/addresses/index.ts';
import type { Request } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import { readMetricsToken } from './metrics-token.ts';

const loopback = addressList(['127.0.0.0/8', '::1']);
const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a request comes from a program on this machine, or brings the token. @throws StartupError */
export function metricsGuard({ settings, secrets }: Platform): (request: Request) => boolean {
  const token = readMetricsToken(settings);
  const expected = token === undefined ? undefined : secrets.hash('metrics token', token);
  return (request) => {
    const [, sent] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    // Compared as keyed hashes, so that the time it takes tells nothing.
    if (sent !== undefined && expected?.equals(secrets.hash('metrics token', sent))) return true;
    return isFromThisMachine(request);
  };
}

/**
 * A proxy on this machine that nobody named in ONWARD_TRUSTED_PROXIES makes everybody seem to come from here: what it adds
 * to a request gives it away. The name asked for must be this machine's too, since a page in somebody's browser here can
 * have a name of its own lead to this address.
 */
function isFromThisMachine({ ip, ips, headers }: Request): boolean {
  const isForwarded = forwarding.some((name) => headers[name] !== undefined);
  const isBelieved = (ips?.length ?? 1) > 1;
  if (isForwarded && !isBelieved) return false;
  return loopback.has(ip) && loopbackHost.test(headers.host ?? '');
}
