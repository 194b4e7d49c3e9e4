export type { FastifyReply as Reply, FastifyRequest as Request } from 'fastify';
export {
  type Admitted,
  admitted,
  anyone,
  installAccess,
  reader,
  signedIn,
  visitor,
  withToken,
} from './access.ts';
export { type App, createApp } from './create-app.ts';
export { describeErrors } from './describe-errors.ts';
export { page } from './page.ts';
export { listOf, problemAnswers } from './schemas.ts';
