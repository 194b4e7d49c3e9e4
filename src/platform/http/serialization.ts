import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';

/**
 * Compiles the form of an answer when it is first given. There is one for each status of each route, most are never
 * given, and all of them at the start took a quarter of it.
 */
export function serializeLazily(app: FastifyInstance): void {
  const compilers = SerializerSelector();
  app.setSerializerCompiler((route) => {
    let serialize: ((data: unknown) => string) | undefined;
    return (data) => {
      serialize ??= compilers(app.getSchemas())({ ...route, httpStatus: route.httpStatus ?? '' });
      return serialize(data);
    };
  });
}
