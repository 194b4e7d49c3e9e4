import { describe, expect, it } from 'vitest';
import { createCallWindows } from './call-windows.ts';

describe('the windows of calls', () => {
  it('keep a bounded number of keys, and drop the ended first', () => {
    const windows = createCallWindows(100);
    for (let key = 0; key < 100; key += 1) windows.count(`early ${key}`, 0);
    for (let key = 0; key < 50; key += 1) windows.count(`later ${key}`, 30_000);
    expect(windows.size()).toBe(100);
    expect(windows.count('later 0', 30_000).calls).toBe(2);
    expect(windows.count('early 99', 59_999).calls).toBe(2);
    windows.count('new', 60_000);
    expect(windows.size()).toBe(51);
    for (let key = 0; key < 10_000; key += 1) windows.count(`flood ${key}`, 60_000);
    expect(windows.size()).toBe(100);
  });
});
