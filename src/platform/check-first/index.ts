export { addCheckFirstHeader } from './announce.ts';
export {
  beginCheckFirst,
  type CheckFirst,
  endCheckFirst,
  findCheckFirst,
  isCheckFirst,
  lockCheckFirst,
} from './check-first-store.ts';
