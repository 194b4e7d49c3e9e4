export { moveSite } from './move-site.ts';
export { type RestoreReport, restoreBackup } from './restore-backup.ts';
export { writeBackup } from './write-backup.ts';
