export { addCheckFirstHeader } from './announce.ts';
export {
  beginCheckFirst,
  type CheckFirst,
  endCheckFirst,
  findCheckFirst,
  isCheckFirstSql,
  lockCheckFirst,
} from './check-first-store.ts';
