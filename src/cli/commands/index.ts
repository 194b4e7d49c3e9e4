import type { Command } from '../command.ts';
import { accountApiAccess } from './account-api-access.ts';
import { accountCreate } from './account-create.ts';
import { accountDisable, accountEnable } from './account-disable.ts';
import { accountList } from './account-list.ts';
import { accountResetPassword } from './account-reset-password.ts';
import { libraryImport } from './library-import.ts';
import { migrate } from './migrate.ts';
import { practicesImport } from './practices-import.ts';

export const commands: readonly Command[] = [
  accountCreate,
  accountList,
  accountApiAccess,
  accountDisable,
  accountEnable,
  accountResetPassword,
  libraryImport,
  practicesImport,
  migrate,
];
