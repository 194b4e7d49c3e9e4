import type { FastifyContextConfig } from 'fastify';
import type { Access } from './access.ts';

/** The `config` of a route that a person meets in a browser. */
export function page(access: Access): FastifyContextConfig {
  return { access, page: true };
}
