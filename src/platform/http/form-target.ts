import type { FastifyReply } from 'fastify';

/**
 * Lets the forms of this one answer end at another origin too. Browsers hold `form-action` against where a form is sent;
 * Chromium also against every redirect that follows it.
 */
export function allowFormsTo(reply: FastifyReply, origin: string): void {
  // CSP has no way to write an IPv6 address, so for a program at [::1] (on a test site only) the scheme must do.
  const source = origin.startsWith('http://[') ? 'http:' : origin;
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header(
    'content-security-policy',
    policy.replace("form-action 'self'", `form-action 'self' ${source}`),
  );
}
