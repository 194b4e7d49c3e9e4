import type { Command } from '../command.ts';
import { accountApiAccess } from './account-api-access.ts';
import { accountChangeEmail } from './account-change-email.ts';
import { accountCreate } from './account-create.ts';
import { accountDisable, accountEnable } from './account-disable.ts';
import { accountInvite } from './account-invite.ts';
import { accountList } from './account-list.ts';
import { accountRemoveSecondFactors } from './account-remove-second-factors.ts';
import { accountResetPassword } from './account-reset-password.ts';
import { backup } from './backup.ts';
import { libraryExport } from './library-export.ts';
import { libraryImport } from './library-import.ts';
import { migrate } from './migrate.ts';
import { postcodesImport } from './postcodes-import.ts';
import { practicesImport } from './practices-import.ts';
import { restore } from './restore.ts';
import { returnUrlAdd, returnUrlList, returnUrlRemove } from './return-url.ts';
import { siteCheck } from './site-check.ts';

export const commands: readonly Command[] = [
  accountCreate,
  accountInvite,
  accountList,
  accountApiAccess,
  accountChangeEmail,
  accountDisable,
  accountEnable,
  accountResetPassword,
  accountRemoveSecondFactors,
  libraryImport,
  libraryExport,
  practicesImport,
  postcodesImport,
  returnUrlAdd,
  returnUrlRemove,
  returnUrlList,
  siteCheck,
  migrate,
  backup,
  restore,
];
