import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';

describe('a table as CSV', () => {
  it('is read back as it was, except for what could be a formula', () => {
    const cell = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const read = parse(toCsv(['one', 'two'], rows), { relax_column_count: false });
        const safe = rows.map((row) => row.map((each) => (/^[=+\-@\t\r\n]/.test(each) ? `'${each}` : each)));
        expect(read).toEqual([['one', 'two'], ...safe]);
      }),
    );
  });

  it('has no formula', () => {
    expect(toCsv(['name'], [['=HYPERLINK("http://evil.example")'], ['+44'], ['@x']])).toBe(
      'name\r\n"\'=HYPERLINK(""http://evil.example"")"\r\n\'+44\r\n\'@x\r\n',
    );
  });
});
