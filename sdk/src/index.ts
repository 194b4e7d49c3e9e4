export { apilogin, type SignIn } from './api-login.ts';
export type { CallReport, Fetch } from './call.ts';
export {
  BadSignature,
  CallError,
  EventsGone,
  type FieldError,
  isProblem,
  NoAnswerError,
  OnwardError,
  type Problem,
  type ProblemCode,
  ProblemError,
} from './errors.ts';
export type { Event, EventResource, FollowOptions } from './events.ts';
export { Onward, type OnwardOptions, version } from './onward.ts';
export type {
  Answer,
  AnswerBody,
  Body,
  CallOptions,
  OperationId,
  Query,
  Schemas,
  Settings,
} from './operations.ts';
export type {
  Attachment,
  Draft,
  Message,
  NewReferral,
  ReadSettings,
  Referral,
  Versioned,
} from './referrals.ts';
export type { Service, ServicePage, ServiceSearch, ServiceSummary } from './services.ts';
export type { StoredToken, TokenStore } from './tokens.ts';
export {
  type ReceiverOptions,
  receiver,
  signWebhook,
  verifyWebhook,
  type WebhookHeaders,
} from './webhooks.ts';
