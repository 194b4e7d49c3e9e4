import { defineProblem } from '../platform/problem/index.ts';

export const feedUnreadable = defineProblem({
  type: 'feed-unreadable',
  status: 502,
  title: 'The feed could not be read to its end',
});
