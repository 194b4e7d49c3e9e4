import { defineProblem } from '../platform/problem/index.ts';

export const tooManyWebhooks = defineProblem({
  type: 'too-many-webhooks',
  status: 409,
  title: 'The account has as many webhooks as it may have',
  detail: 'Remove one first.',
});
