export type { FastifyReply as Reply, FastifyRequest as Request } from 'fastify';
export {
  type Admitted,
  admits,
  admitted,
  anyone,
  installAccess,
  reader,
  signedIn,
  visitor,
  withToken,
} from './access.ts';
export { installCors } from './cors.ts';
export { type App, createApp } from './create-app.ts';
export {
  keyCursor,
  type Page,
  type PageRequest,
  pageOf,
  pageWithin,
  readCursor,
  readKeyCursor,
} from './cursor.ts';
export { describeErrors } from './describe-errors.ts';
export { allowFormsTo, isPrefetch, page } from './page-routes.ts';
export { callWindows, describeLimits, installLimits } from './rate-limit.ts';
export { listOf, oneOrSeveral, pageQuery, problemAnswers, severalOf, written } from './schemas.ts';
export { installUploads, openUpload, takesFile, withUpload } from './uploads.ts';
export { brokenParameters, checkOf, compileValidator } from './validation.ts';
