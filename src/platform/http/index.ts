export type { FastifyReply as Reply, FastifyRequest as Request } from 'fastify';
export {
  type Access,
  type Admitted,
  admitted,
  anyone,
  installAccess,
  reader,
  signedIn,
  type Verifiers,
  visitor,
  withToken,
} from './access.ts';
export { type App, createApp } from './create-app.ts';
export { page } from './page.ts';
export { listOf, problemAnswers, problemSchema } from './schemas.ts';
