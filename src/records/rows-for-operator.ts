import type { Caller } from '../accounts/index.ts';
import { type Db, inTransaction } from '../platform/database/index.ts';
import {
  findReferralsWithHiddenService,
  hiddenServiceName,
  type ReferralStatus,
  statusInWords,
} from '../referrals/index.ts';

type ReferralRow = {
  id: string;
  status: ReferralStatus;
  statusReason: { code: string } | null;
  serviceName: string | null;
};

/** The rows of a list as this operator may see them: with the status in words, and without the names of services that they may not know. */
export async function rowsForOperator<Row extends ReferralRow>(db: Db, caller: Caller, rows: readonly Row[]) {
  const ids = rows.map(({ id }) => id);
  const withHiddenService = await inTransaction(db, (trx) =>
    findReferralsWithHiddenService(trx, caller, ids),
  );
  return rows.map((row) => ({
    ...row,
    serviceName: withHiddenService.has(row.id) ? hiddenServiceName : row.serviceName,
    words: statusInWords(row.status, row.statusReason),
  }));
}
