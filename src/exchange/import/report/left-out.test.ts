import { describe, expect, it } from 'vitest';
import { LeftOut, leftOutLines } from './left-out.ts';

const fault = (line: number, more: object = {}) => ({
  line,
  pointer: '/name',
  reason: 'is required',
  ...more,
});

describe('equal reasons', () => {
  it('are counted together, the commonest first, with places', () => {
    const leftOut = new LeftOut('record');
    leftOut.add(fault(1, { pointer: '/status', reason: 'is no status' }));
    for (let line = 2; line <= 9; line += 1) leftOut.add(fault(line, { id: `s${line}` }));
    const [first, second] = leftOut.groups();
    expect([first?.count, first?.pointer, first?.reason]).toEqual([8, '/name', 'is required']);
    expect(leftOutLines(first!)).toBe(
      'line 2 (s2), line 3 (s3), line 4 (s4), line 5 (s5), line 6 (s6) and 3 more',
    );
    expect(second).toEqual({
      count: 1,
      records: 1,
      pointer: '/status',
      reason: 'is no status',
      first: [{ line: 1, pointer: '/status' }],
    });
  });

  it('are one group at any place in a list and with any numbers', () => {
    const leftOut = new LeftOut('part');
    leftOut.add(fault(1, { pointer: '/phones/0/number' }));
    leftOut.add(fault(1, { pointer: '/phones/12/number' }));
    leftOut.add(fault(2, { pointer: '', reason: 'is not JSON: see character 7' }));
    leftOut.add(fault(3, { pointer: '', reason: 'is not JSON: see character 81' }));
    expect(leftOut.groups().map(({ count, pointer, reason }) => [count, pointer, reason])).toEqual([
      [2, '/phones/*/number', 'is required'],
      [2, '', 'is not JSON: see character …'],
    ]);
  });

  it('name one record once, and the others beside it', () => {
    const leftOut = new LeftOut('part');
    for (let index = 0; index < 300; index += 1)
      leftOut.add(fault(1, { id: 'a', pointer: `/phones/${index}/number` }));
    const [alone] = leftOut.groups();
    expect(alone).toMatchObject({ count: 300, records: 1, first: [{ pointer: '/phones/0/number' }] });
    expect(leftOutLines(alone!)).toBe('line 1 (a)');
    for (let line = 2; line <= 8; line += 1) leftOut.add(fault(line, { pointer: '/phones/0/number' }));
    expect(leftOutLines(leftOut.groups()[0]!)).toBe('line 1 (a), line 2, line 3, line 4, line 5 and 3 more');
  });

  it('leave the rest as one group if countless others differ', () => {
    const leftOut = new LeftOut('record');
    const letters = (index: number) => String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
    for (let index = 0; index < 500; index += 1) leftOut.add(fault(index, { reason: letters(index) }));
    expect(leftOut.groups()).toHaveLength(101);
    expect(leftOut.groups().at(-1)).toMatchObject({
      count: 400,
      reason: expect.stringContaining('other reasons'),
    });
  });
});

describe('the whole list', () => {
  it('is CSV in which nothing is a formula', () => {
    const leftOut = new LeftOut('part');
    leftOut.add({ line: 3, file: 'a,b.csv', id: '=1+1', pointer: '/phones/0', reason: 'say "why"' });
    leftOut.add({ line: 4, page: 2, id: '\t@x', pointer: '', reason: '-2 is too little' });
    expect(leftOut.csv()).toBe(
      `part,3,"a,b.csv",,'=1+1,/phones/0,"say ""why"""\r\npart,4,,2,'\t@x,,'-2 is too little\r\n`,
    );
  });

  it('stops after fifty thousand, says so, and grows no more', () => {
    const leftOut = new LeftOut('record');
    for (let line = 1; line <= 50_000; line += 1) leftOut.add(fault(line));
    const before = leftOut.csv().length;
    for (let line = 50_001; line <= 120_000; line += 1) leftOut.add(fault(line));
    const lines = leftOut.csv().trimEnd().split('\r\n');
    expect(lines).toHaveLength(50_001);
    expect(lines.at(-1)).toBe('record,,,,,,The list stops here: 70000 more are not in it');
    expect(leftOut.csv().length - before).toBeLessThan(100);
    expect(leftOut.groups()[0]?.count).toBe(120_000);
  });

  it('stops after five million characters, however long the lines', () => {
    const leftOut = new LeftOut('record');
    for (let line = 1; line <= 20_000; line += 1)
      leftOut.add(fault(line, { pointer: `/${'x'.repeat(1000)}` }));
    expect(leftOut.csv().length).toBeLessThan(5_100_000);
    expect(leftOut.csv()).toContain('The list stops here');
  });
});
