export type {
  FastifyContextConfig as RouteConfig,
  FastifyReply as Reply,
  FastifyRequest as Request,
} from 'fastify';
export {
  addCheck,
  anyone,
  anyScope,
  bearerRealm,
  type CallerIdentity,
  hasRole,
  installAccess,
  isApiPath,
  keptFormIn,
  reader,
  requestCaller,
  signedIn,
  type UnsentForm,
  visitor,
  withNext,
  withToken,
} from './access.ts';
export { compressIfAccepted, type FixedContent, fixedContent, sendFixed } from './compression.ts';
export { installCors } from './cors.ts';
export { type App, createApp } from './create-app.ts';
export {
  keyCursor,
  type PagedList,
  type PagedListQuery,
  pageOfRows,
  pageOfWholeList,
  readIdCursor,
  readKeyCursor,
} from './cursor.ts';
export { announceDeprecation, type Deprecation, deprecatedIn, deprecations } from './deprecation.ts';
export { describeErrors, describePattern } from './errors/describe-errors.ts';
export { databaseUnreachableAdvice, jsonAdvice } from './errors/error-answers.ts';
export { brokenParameters, compileValidator, validatorOf } from './errors/validation.ts';
export { type EventStream, eventStreams } from './event-streams.ts';
export { allowFormsTo, page } from './page-routes.ts';
export { isPrefetchOrHead } from './prefetch.ts';
export { callAgainIn, describeRateLimits, inSeconds, installRateLimits } from './rate-limit.ts';
export {
  anyForm,
  badBody,
  emptyBody,
  exampleOrigin,
  listOf,
  listQuery,
  momentSchema,
  nameListParameter,
  nonBlankPattern,
  noOtherFields,
  noToken,
  openEnum,
  orNull,
  problemAnswers,
  requiredUnless,
  requiredWith,
  splitNames,
} from './schemas.ts';
export { fileRouteOptions, installUploads, openUpload, withUpload } from './uploads.ts';
