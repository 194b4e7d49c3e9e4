import type { Actor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { importCsv } from '../import/import-csv.ts';
import type { ImportDeps } from '../import/import-records.ts';
import type { ImportResult, OnProgress } from '../import/import-report.ts';
import type { Bytes } from '../import/open-file.ts';
import { readPostcode } from './postcode.ts';
import { postcodeColumns, postcodeFromLine } from './postcode-line.ts';
import { SeenPostcodes } from './seen-postcodes.ts';
import { comparePostcodes, savePostcodes } from './store.ts';

/**
 * Reads where postcodes are. What is the same stays untouched, so a second import of a file changes nothing; postcodes
 * that a file does not have stay. With `dryRun` nothing is written, and the numbers say what would be.
 * @throws Problem `unprocessable` where the first line does not name the columns.
 */
export function importPostcodes(
  deps: ImportDeps,
  actor: Actor,
  source: Bytes,
  options: { onProgress?: OnProgress; dryRun?: boolean } = {},
): Promise<ImportResult> {
  const seen = new SeenPostcodes();
  const { db } = deps;
  const postcodes = {
    columns: postcodeColumns,
    // It weighs some hundred kilobytes, and its statement takes some tens of milliseconds.
    batchSize: 5000,
    action: 'postcodes.imported',
    read(values: Readonly<Record<string, string>>) {
      const place = postcodeFromLine(values);
      if ('errors' in place) return { ...place, id: readPostcode(values.postcode ?? '')?.text };
      if (seen.add(readPostcode(place.postcode)!)) return place;
      const message = 'is on an earlier line too';
      return { id: place.postcode, errors: [{ pointer: '/postcode', message }] };
    },
    save: (batch: Parameters<typeof savePostcodes>[1]) =>
      options.dryRun ? comparePostcodes(db, batch) : inTransaction(db, (trx) => savePostcodes(trx, batch)),
  };
  return importCsv(deps, actor, source, postcodes, options);
}
