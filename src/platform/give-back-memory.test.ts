import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { until } from '../../test/until.ts';
import { giveBackMemoryWhenIdle } from './give-back-memory.ts';

test('memory is given back once, however often that is wished, and when there is nothing else to do', async () => {
  const collect = vi.fn();
  vi.stubGlobal('gc', collect);
  giveBackMemoryWhenIdle();
  giveBackMemoryWhenIdle();
  // Busy for about half of two and a half seconds, as with requests that never pause.
  for (const end = performance.now() + 2500; performance.now() < end; await delay(10)) work(10);
  expect(collect).not.toHaveBeenCalled();
  await until(() => collect.mock.calls.length > 0);
  await delay(1500);
  expect(collect).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ flavor: 'last-resort' }));
  vi.unstubAllGlobals();
});

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
