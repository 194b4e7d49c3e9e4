import type { FastifyContextConfig } from 'fastify';
import type { Access } from './access.ts';

type PageRules = Pick<FastifyContextConfig, 'fresh' | 'countsAsCall' | 'takesJson'>;

/** The `config` of a route that a person meets in a browser. */
export function page(access: Access, rules: PageRules = {}): FastifyContextConfig {
  return { access, page: true, ...rules };
}
