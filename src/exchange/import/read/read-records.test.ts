import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/app/runs.ts';
import type { FileRecord } from '../model/record.ts';
import { readRecords } from './read-records.ts';
import { maxRecordLength } from './split-lines.ts';
import { ValueSplitter } from './split-values.ts';

async function read(...chunks: (string | Uint8Array)[]): Promise<FileRecord[]> {
  const records: FileRecord[] = [];
  const source = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  for await (const record of readRecords(source)) records.push(record);
  return records;
}

const values = (records: FileRecord[]) =>
  records.flatMap((record) =>
    'value' in record ? [record.value] : 'reason' in record ? [record.reason] : [],
  );

const service = fc.record(
  { id: fc.uuid(), name: fc.string(), tags: fc.array(fc.jsonValue()), contents: fc.jsonValue() },
  { requiredKeys: ['id'] },
);
/** The ways in which the same services may be written down. */
const layouts: Record<string, (services: object[]) => string> = {
  'one a line': (services) => services.map((each) => JSON.stringify(each)).join('\n'),
  'one a line, with blank lines and returns': (services) =>
    `\r\n${services.map((each) => JSON.stringify(each)).join('\r\n\n')}\n`,
  'a list': (services) => JSON.stringify(services),
  'a list over many lines': (services) => JSON.stringify(services, null, 2),
  'a page': (services) => JSON.stringify({ total_items: 2, contents: services, notes: [{ id: 'none' }] }),
  'a page over many lines': (services) =>
    JSON.stringify({ filters: [[1], {}], contents: services }, null, '\t'),
  'a page a line': (services) =>
    `${JSON.stringify({ contents: services })}\n${JSON.stringify({ contents: [] })}\n`,
  'services over many lines': (services) => services.map((each) => JSON.stringify(each, null, 1)).join('\n'),
};

describe.each(Object.entries(layouts))('%s', (_name, write) => {
  it('gives the same services however it is cut or packed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(service, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(3000), { maxLength: 8 }),
        fc.boolean(),
        fc.boolean(),
        async (services, cuts, packed, marked) => {
          const text = Buffer.from(`${marked ? '\ufeff' : ''}${write(services)}`);
          const bytes = packed ? gzipSync(text) : text;
          const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
          const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
          expect(values(await read(...chunks))).toEqual(JSON.parse(JSON.stringify(services)));
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

describe('records', () => {
  it('are read from any bytes; only another kind of file throws', async () => {
    const readAny = (chunk: string | Uint8Array) =>
      read(chunk).catch((error) =>
        expect(error).toMatchObject({ detail: expect.stringMatching(/^This is a/) }),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.stringMatching(/^[[\]{}",:\\a\n ]{0,60}$/),
        async (bytes, text) => {
          await readAny(bytes);
          await readAny(text);
        },
      ),
    );
  });

  it('include those after a broken line, which is reported', async () => {
    const lines = ['{"id":"1"}', '{"id":"2","name":"oops', '', '{"id":"3"}}', 'nonsense', '{"id":"4"}'];
    expect(await read(lines.join('\n'))).toEqual([
      { line: 1, value: { id: '1' } },
      { line: 2, reason: 'is not JSON: it stops before its end' },
      { line: 4, reason: 'is not JSON: see character 11' },
      { line: 5, reason: 'is not JSON' },
      { line: 6, value: { id: '4' } },
    ]);
  });

  it('include those after a broken list element, which is reported', async () => {
    expect(await read('[\n{"id":"1"},\n{"id":"2" oops},\n17,\n{"id":"3"}\n]')).toEqual([
      { line: 2, value: { id: '1' } },
      { line: 3, reason: 'is not JSON: see character 11' },
      { line: 4, value: 17 },
      { line: 5, value: { id: '3' } },
    ]);
  });

  it('are refused when too long, without filling the memory', async () => {
    const [first, second] = await read(
      '{"id":"1"}\n',
      `{"id":"${'x'.repeat(maxRecordLength)}"}\n`,
      '{"id":"3"}',
    ).then((all) => all.slice(1));
    expect(first).toEqual({ line: 2, reason: 'is longer than one megabyte' });
    expect(second).toEqual({ line: 3, value: { id: '3' } });
  });

  it('may follow any number of blanks, without filling the memory', async () => {
    const blanks = Buffer.alloc(64 * 1024, ' \n');
    async function* source() {
      for (let count = 0; count < 2000; count += 1) yield blanks;
      yield Buffer.from('{"id":"1"}\nnonsense');
    }
    const records: FileRecord[] = [];
    for await (const record of readRecords(source())) records.push(record);
    const line = 2000 * 32 * 1024 + 1;
    expect(records).toEqual([
      { line, value: { id: '1' } },
      { line: line + 1, reason: 'is not JSON' },
    ]);
  });

  it('are reported when they are not UTF-8 text', async () => {
    expect(await read(Buffer.from('{"id":"caf\xe9"}\n', 'latin1'))).toEqual([
      { line: 1, reason: 'is not UTF-8 text' },
    ]);
  });
});

describe('the list of a page', () => {
  it('is found by a name of any length', () => {
    const splitter = new ValueSplitter(1, ['a-much-longer-name']);
    const cuts = splitter.push(Buffer.from('{"other":[{"id":1}],"a-much-longer-name":[{"id":2}]}'));
    expect([...cuts, ...splitter.end()].map((cut) => 'bytes' in cut && String(cut.bytes))).toEqual([
      '{"id":2}',
    ]);
  });
});

describe('records of a packed file', () => {
  it('are read up to the point where the file is truncated', async () => {
    const text = Array.from({ length: 5000 }, (_, index) => `{"id":"${index}-${Math.sin(index)}"}\n`).join(
      '',
    );
    const packed = gzipSync(text);
    const records = await read(packed.subarray(0, packed.length / 2));
    expect(records.length).toBeGreaterThan(1000);
    expect(records.at(-1)).toMatchObject({ reason: expect.stringContaining('damaged or cut short') });
  });

  it.each([
    'and garbage',
    '\0\0and garbage',
  ])('survive bytes after the end of the packed data: %j', async (garbage) => {
    const lines = Array.from({ length: 3000 }, (_, index) => `{"id":"${index}-${Math.sin(index)}"}`);
    for (const text of [lines.join('\n'), `[${lines.join(',')}]`]) {
      const records = await read(gzipSync(text), garbage);
      expect(values(records).slice(0, -1)).toEqual(lines.map((line) => JSON.parse(line)));
      expect(records.at(-1)).toMatchObject({ reason: expect.stringContaining('damaged or cut short') });
      expect(values(await read(Buffer.concat([gzipSync(text), Buffer.from(garbage)])))).toEqual(
        values(records),
      );
    }
  });

  it('are read up to a fault in the packed data', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `{"id":"${index}-${Math.sin(index)}"}\n`);
    const packed = gzipSync(lines.join(''), { level: 0 });
    // Unpacked text stands in blocks, each with its length twice: the second block's lengths are spoilt.
    const second = 10 + 5 + packed.readUInt16LE(11);
    packed.fill(0xff, second + 1, second + 5);
    const records = await read(packed);
    const whole = packed.subarray(15, second).toString().split('\n').length - 1;
    expect(values(records).slice(0, -1)).toEqual(lines.slice(0, whole).map((line) => JSON.parse(line)));
    expect(records.at(-1)).toMatchObject({ reason: expect.stringContaining('damaged or cut short') });
  });

  it('are read from several packed files in a row', async () => {
    const packed = Buffer.concat([gzipSync('{"id":"1"}\n'), gzipSync('{"id":"2"}\n'), Buffer.alloc(600)]);
    expect(values(await read(packed))).toEqual([{ id: '1' }, { id: '2' }]);
  });
});

describe('records of a list without an end', () => {
  it.each([
    ['[', 1],
    ['[\n{"id":"1"}', 2],
    ['[{"id":"1"},\n', 2],
    ['[\n{"id":"1"},\n{"id":"2"}\n', 4],
    ['[17', 1],
    ['{\n"contents": [\n{"id":"1"},\n', 4],
    ['{\n"contents": [\n{"id":"1"}]', 3],
    ['{\n"contents": [\n{"id":"1"}], "notes": [{}', 3],
  ])('are followed by a report that the list is not closed: %j', async (text, line) => {
    const reports = (await read(text)).filter((record) => 'reason' in record);
    expect(reports).toEqual([{ line, reason: expect.stringContaining('before its list or page is closed') }]);
  });

  it('cause one problem, not two, when the last one is truncated', async () => {
    for (const rest of ['{"id":"2"', '{"id":"2', '"2']) {
      const found = values(await read(`[{"id":"1"},${rest}`));
      expect(found).toEqual([{ id: '1' }, expect.stringContaining('is not JSON')]);
    }
  });
});
