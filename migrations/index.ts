import type { Migrations } from '../src/platform/database/index.ts';
import * as audit from './0001-audit.ts';
import * as accounts from './0002-accounts.ts';
import * as tokens from './0003-tokens.ts';
import * as library from './0004-library.ts';
import * as referrals from './0005-referrals.ts';
import * as delivery from './0006-delivery.ts';

/** Every migration, in order. Forward only: a mistake is mended by the next number. */
export const migrations: Migrations = {
  '0001-audit': audit,
  '0002-accounts': accounts,
  '0003-tokens': tokens,
  '0004-library': library,
  '0005-referrals': referrals,
  '0006-delivery': delivery,
};
