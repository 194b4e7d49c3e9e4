export { addRestoreCheckHeader } from './announce.ts';
export {
  beginRestoreCheck,
  endRestoreCheck,
  findRestoreCheck,
  isBeingCheckedSql,
  lockRestoreCheck,
  type RestoreCheck,
} from './restore-check-store.ts';
