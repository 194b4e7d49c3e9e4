import type { FastifyContextConfig, FastifyReply } from 'fastify';
import type { Access } from './access.ts';

type PageRules = Omit<FastifyContextConfig, 'access' | 'page' | 'scope' | 'crossOrigin'>;

/** The `config` of a route that a person opens in a browser. */
export function page(access: Access, rules: PageRules = {}): FastifyContextConfig {
  return { access, page: true, ...rules };
}

/**
 * Allows forms on this page to end at another origin. Browsers check where a form is sent against `form-action`; Chromium also
 * checks every redirect that follows.
 */
export function allowFormsTo(reply: FastifyReply, origin: string): void {
  // CSP cannot express an IPv6 address, so a program at [::1] (only on a test site) is allowed by its scheme.
  const source = origin.startsWith('http://[') ? 'http:' : origin;
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header(
    'content-security-policy',
    policy.replace("form-action 'self'", `form-action 'self' ${source}`),
  );
}
