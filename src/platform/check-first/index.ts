export { addCheckFirstHeader } from './announce.ts';
export { beginCheckFirst, endCheckFirst, findCheckFirst, lockCheckFirst } from './store.ts';
