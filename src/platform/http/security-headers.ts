import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings/index.ts';

const always = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // Nearly every answer is about a person or made for one; what may be kept (styles, fonts) says so itself.
  'cache-control': 'no-store',
} as const;

/** The headers of every answer, in this one place. A route that needs another value sets it itself. */
export function securityHeaders(settings: Settings): Readonly<Record<string, string>> {
  const https = settings.baseUrl.startsWith('https://');
  return Object.freeze(https ? { ...always, 'strict-transport-security': 'max-age=31536000' } : always);
}

/** Sets them before anything else, so that refusals have them too. */
export function installSecurityHeaders(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
