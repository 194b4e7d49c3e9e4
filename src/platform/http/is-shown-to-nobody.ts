import type { FastifyRequest } from 'fastify';

/**
 * Whether a page is only loaded in advance by a browser, or only its headers are asked: what is made for whoever sees
 * the page, such as a token, would then be one too many.
 */
export function isShownToNobody({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return (
    method === 'HEAD' || /prefetch|prerender/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''))
  );
}
