import { defineProblem } from '../platform/problem/index.ts';

export const nothingToDo = defineProblem({
  type: 'nothing-to-do',
  status: 409,
  title: 'That cannot be done about this delivery now',
  detail: 'It may have gone out meanwhile, or somebody has seen to it: read it again.',
});
