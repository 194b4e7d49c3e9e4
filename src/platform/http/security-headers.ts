import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings/index.ts';

const always = Object.freeze({
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // Nearly every answer is about a person or made for one. Styles and fonts set their own.
  'cache-control': 'no-store',
} as const);

/** The headers of every answer. A route that needs another value sets it itself. */
export function securityHeaders(settings: Settings): Readonly<Record<string, string>> {
  if (!settings.baseUrl.startsWith('https://')) return always;
  const subdomains = settings.hstsSubdomains ? '; includeSubDomains' : '';
  return Object.freeze({ ...always, 'strict-transport-security': `max-age=31536000${subdomains}` });
}

/** Sets them first, so that refusals have them too. */
export function installSecurityHeaders(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Our own id, which is in the log as well. An id that the caller sends is ignored.
    reply.headers(headers).header('x-request-id', request.id);
    if (request.routeOptions.config.secretInAddress)
      reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
    done();
  });
}
