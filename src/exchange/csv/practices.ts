import { Type } from 'typebox';
import type { Actor } from '../../audit/index.ts';
import {
  type Closing,
  type ListSize,
  type Practice,
  readPostcode,
  saveClosings,
  saveListSizes,
  savePractices,
} from '../../library/index.ts';
import { calendarDay } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { describeErrors, validatorOf } from '../../platform/http/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import type { ImportDeps, ImportRecordsOptions } from '../import/import-records.ts';
import type { Bytes } from '../import/read/bytes.ts';
import type { ImportResult } from '../import/report/import-report.ts';
import { type Column, importCsv } from './import-csv.ts';

/**
 * Reads GP practices from CSV with the columns `ods_code,name` and, where known, `address,city,postcode,latitude,
 * longitude,phone,closed_on,list_size`. Rows are matched by code; how a practice receives messages stays as it is. A day in `closed_on`
 * closes a practice, and an empty field opens it again. Without that column, a practice stays open or closed as it is.
 * @throws Problem `unprocessable` if the first line does not name the columns.
 */
export function importPractices(
  deps: ImportDeps,
  actor: Actor,
  source: Bytes,
  options: Omit<ImportRecordsOptions, 'dryRun'> = {},
): Promise<ImportResult> {
  const firstLines = new Map<string, number>();
  const at = deps.clock.now();
  const practices = {
    fileKind: 'practices' as const,
    columns: practiceColumns,
    batchSize: 1000,
    action: 'practices.imported' as const,
    read(values: Readonly<Record<string, string>>, line: number) {
      const practice = practiceFromLine(values);
      if ('errors' in practice) return { ...practice, id: values.ods_code?.slice(0, 20) };
      const earlier = firstLines.get(practice.odsCode);
      if (earlier === undefined) firstLines.set(practice.odsCode, line);
      else {
        const message = `is the code of the practice on line ${earlier} too`;
        return { id: practice.odsCode, errors: [{ pointer: '/ods_code', message }] };
      }
      return practice;
    },
    save: (batch: readonly ListedPractice[]) =>
      inTransaction(deps.db, async (trx) => {
        const { created, updated } = await savePractices(trx, batch, at);
        const closings = batch.filter(
          (each): each is ListedPractice & Closing => each.closedOn !== undefined,
        );
        const sizes = batch.filter((each): each is ListedPractice & ListSize => each.listSize !== undefined);
        const changeCount = (await saveClosings(trx, closings, at)) + (await saveListSizes(trx, sizes, at));
        return { created, updated: updated + changeCount };
      }),
  };
  return importCsv(deps, actor, source, practices, options);
}

/** A line of the list. `closedOn` and `listSize` are undefined in a list without their columns. */
type ListedPractice = Practice & { closedOn: string | null | undefined; listSize: number | null | undefined };

const printable = '^[^\\u0000-\\u001f\\u007f]*$';
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength, pattern: printable }));
const decimal = '^(-?\\d{1,3}(\\.\\d{1,12})?)?$';

/** A line of the file. Every field is text, and an empty one means unknown. */
const lineSchema = Type.Object({
  ods_code: Type.String({ pattern: '^[A-Z0-9]{3,12}$' }),
  name: Type.String({ maxLength: 300, pattern: printable }),
  address: text(500),
  city: text(100),
  postcode: Type.Optional(Type.String({ pattern: '^([A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2})?$' })),
  latitude: Type.Optional(Type.String({ pattern: decimal })),
  longitude: Type.Optional(Type.String({ pattern: decimal })),
  phone: text(50),
  /** How many people are registered. */
  list_size: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,6})?$' })),
  // The register writes 20261121.
  closed_on: Type.Optional(Type.String({ pattern: '^([0-9]{4}-?[0-9]{2}-?[0-9]{2})?$' })),
});

const practiceColumns: readonly Column[] = [
  { name: 'ods_code', required: true },
  { name: 'name', required: true },
  ...['address', 'city', 'postcode', 'latitude', 'longitude', 'phone'].map((name) => ({ name })),
  { name: 'list_size' },
  { name: 'closed_on', also: ['close_date', 'close date'] },
];

/** The practice on a line, or what is wrong with the line. Codes and postcodes may be in lower case. */
function practiceFromLine(line: Record<string, string>): ListedPractice | { errors: readonly FieldError[] } {
  const values = { ...line, ods_code: line.ods_code?.toUpperCase() };
  if (line.postcode !== undefined) Object.assign(values, { postcode: line.postcode.toUpperCase() });
  const check = validatorOf(lineSchema);
  if (!check.Check(values)) return { errors: describeErrors(check.Errors(values), '') };
  const latitude = numberOrNull(values.latitude);
  const longitude = numberOrNull(values.longitude);
  if (Math.abs(latitude ?? 0) > 90)
    return { errors: [{ pointer: '/latitude', message: 'must be from -90 to 90' }] };
  if (Math.abs(longitude ?? 0) > 180) {
    return { errors: [{ pointer: '/longitude', message: 'must be from -180 to 180' }] };
  }
  const closedOn = values.closed_on?.replace(/^(\d{4})-?(\d{2})-?(\d{2})$/, '$1-$2-$3');
  if (closedOn && !calendarDay(closedOn))
    return { errors: [{ pointer: '/closed_on', message: 'must be a day such as 2026-11-21' }] };
  return {
    odsCode: values.ods_code,
    // Published lists have practices without a name, which can still be found by their code.
    name: values.name || `Practice ${values.ods_code}`,
    address: values.address || null,
    city: values.city || null,
    postcode: readPostcode(values.postcode ?? '')?.text ?? null,
    latitude,
    longitude,
    phone: values.phone || null,
    closedOn: closedOn === undefined ? undefined : closedOn || null,
    listSize: values.list_size === undefined ? undefined : numberOrNull(values.list_size),
  };
}

function numberOrNull(text: string | undefined): number | null {
  return text ? Number(text) : null;
}
