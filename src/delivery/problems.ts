import { defineProblem } from '../platform/problem/index.ts';

export const nothingToDo = defineProblem({
  type: 'nothing-to-do',
  status: 409,
  title: 'That cannot be done about this delivery now',
});
