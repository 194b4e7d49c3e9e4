import type { Actor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { importCsv } from '../import/import-csv.ts';
import type { ImportDeps } from '../import/import-records.ts';
import type { ImportResult, OnProgress } from '../import/import-report.ts';
import type { Bytes } from '../import/open-file.ts';
import { type Practice, practiceColumns, practiceFromLine } from './practice.ts';
import { savePractices } from './store.ts';

/**
 * Reads GP practices from CSV with the columns `ods_code,name` and, where known, `address,city,postcode,latitude,
 * longitude,phone`. Rows are matched by code; how a practice is reached stays.
 * @throws Problem `unprocessable` where the first line does not name the columns.
 */
export function importPractices(
  deps: ImportDeps,
  actor: Actor,
  source: Bytes,
  options: { onProgress?: OnProgress } = {},
): Promise<ImportResult> {
  const seen = new Map<string, number>();
  const at = deps.clock.now();
  const practices = {
    columns: practiceColumns,
    batchSize: 1000,
    action: 'practices.imported',
    read(values: Readonly<Record<string, string>>, line: number) {
      const practice = practiceFromLine(values);
      if ('errors' in practice) return { ...practice, id: values.ods_code?.slice(0, 20) };
      const earlier = seen.get(practice.odsCode);
      if (earlier === undefined) seen.set(practice.odsCode, line);
      else {
        const message = `is the code of the practice on line ${earlier} too`;
        return { id: practice.odsCode, errors: [{ pointer: '/ods_code', message }] };
      }
      return practice;
    },
    save: (batch: readonly Practice[]) => inTransaction(deps.db, (trx) => savePractices(trx, batch, at)),
  };
  return importCsv(deps, actor, source, practices, options);
}
