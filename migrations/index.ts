import type { MigrationHistory } from '../src/platform/database/index.ts';
import * as baseline from './0001-baseline/index.ts';
import * as feedsAndLockOrder from './0002-feeds-and-lock-order.ts';
import * as plainNames from './0003-plain-names.ts';
import type { DeriveFilterRows } from './before-baseline/0038-times-read-anew.ts';
import { beforeBaseline } from './before-baseline/index.ts';

/** Every migration, in order, and how databases from before the baseline get there. Forward only: a later number corrects an earlier one. */
export function migrationHistory(derive: DeriveFilterRows): MigrationHistory {
  return {
    current: {
      '0001-baseline': baseline,
      '0002-feeds-and-lock-order': feedsAndLockOrder,
      '0003-plain-names': plainNames,
    },
    earlier: beforeBaseline(derive),
  };
}
