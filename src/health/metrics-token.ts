import { readSecretFile, type Settings } from '../platform/settings/index.ts';
import { StartupError } from '../platform/startup-error.ts';

/** The token that opens `/metrics`, where there is one. @throws StartupError where the file that is named holds none. */
export function readMetricsToken({ metricsTokenFile: path }: Settings): string | undefined {
  if (path === undefined) return undefined;
  const token = readSecretFile(path);
  // What a header can bring: visible characters alone.
  if (token !== undefined && /^[!-~]{20,1000}$/.test(token)) return token;
  throw new StartupError(
    'ONWARD_METRICS_TOKEN_FILE must name a file that can be read and holds a token of 20 to 1000 characters without spaces. ' +
      'For example: ONWARD_METRICS_TOKEN_FILE=/etc/onward/metrics.token, made with: openssl rand -hex 32',
  );
}
