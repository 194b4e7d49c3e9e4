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
export { brokenParameters } from './broken-parameters.ts';
export { callWindows } from './call-windows.ts';
export { checkOf } from './check-of.ts';
export { installCors } from './cors.ts';
export { type App, createApp } from './create-app.ts';
export { describeErrors } from './describe-errors.ts';
export { allowFormsTo } from './form-target.ts';
export { isShownToNobody } from './is-shown-to-nobody.ts';
export { oneOrSeveral, severalOf } from './one-or-several.ts';
export { page } from './page.ts';
export { describeLimits, installLimits } from './rate-limit.ts';
export { boundsMs, requestTimes } from './request-times.ts';
export { listOf, pageQuery, problemAnswers } from './schemas.ts';
export { installUploads, openUpload, takesFile, withUpload } from './uploads.ts';
export { compileValidator } from './validation.ts';
export { written } from './written.ts';
