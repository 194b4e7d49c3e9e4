import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const everyTest = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'sdk/**/*.test.ts'];

/** `npm run test:slow`: the tests that make up their cases, with many more of them, and those with long tables of cases. */
const withMoreCases = () =>
  globSync(everyTest).filter((path) => /\b(runs|withSlowCases)\(/.test(readFileSync(path, 'utf8')));

/**
 * Tests that start whole sites, the command line, vendors’ projects or samples in other languages. They take minutes, few changes
 * concern them, and CI runs them all: `npm run test:reliability` (kills, outages, moves) and `npm run test:programs`.
 */
const withWholeSites = ['test/reliability/**', '**/*.program.test.ts'];

export default defineConfig({
  test: {
    include: process.env.TEST_SLOW ? withMoreCases() : everyTest,
    exclude: process.env.TEST_WHOLE_SITES ? [] : withWholeSites,
    globalSetup: ['test/database/global-setup.ts'],
    reporters: ['default', './test/summary-reporter.ts'],
    // More than a third of the time tests wait for processes that they start. Four workers keep two cores busy.
    maxWorkers: 4,
    // Loading the modules anew for each file took more time than the tests. What a test file changes outside its own
    // app and database it therefore puts back.
    isolate: false,
    // A hang ends here, and nothing else does: a busy machine takes twenty times as long as a quiet one.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
  },
});
