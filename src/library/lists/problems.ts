import { defineProblem } from '../../platform/problem/index.ts';

export const listNameTaken = defineProblem({
  type: 'list-name-taken',
  status: 409,
  title: 'Your organisation has a list of this name',
  detail: 'Choose another name.',
});
export const tooManyLists = defineProblem({
  type: 'too-many-lists',
  status: 409,
  title: 'The organisation has as many lists as it may have',
  detail: 'Delete one first.',
});
export const listFull = defineProblem({
  type: 'list-full',
  status: 409,
  title: 'The list has as many services as it may have',
  detail: 'Take one off first, or begin another list.',
});
