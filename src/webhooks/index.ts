export { webhookActionRoutes } from './action-routes.ts';
export { callWebhook } from './call-webhook.ts';
export { describeWebhooks } from './describe-webhooks.ts';
export { eventRoutes } from './event-routes.ts';
export { startPlacing } from './place-events.ts';
export { webhookRoutes } from './routes.ts';
export { deleteOldEvents } from './sweep-events.ts';
export { withReferralEvents } from './with-referral-events.ts';
