import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/longest-first.ts';

const everyTest = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'sdk/**/*.test.ts'];

/** `npm run test:slow`: the tests that make up their cases, with many more of them, and those with long tables of cases. */
const withMoreCases = () =>
  globSync(everyTest).filter((path) => /\b(runs|withSlowCases)(<.*>)?\(/.test(readFileSync(path, 'utf8')));

/**
 * Tests that take minutes and that few changes concern. CI runs them all (`npm run test:whole-sites`), and a developer
 * those that a change concerns: `npm run test:browser`, `test:reliability`, `test:programs` or `test:own-database`.
 */
const withWholeSites = [
  // The command line, client libraries, vendors’ projects and samples in other languages.
  '**/*.program.test.ts',
  // Kills, outages and moves.
  'test/reliability/**/*.test.ts',
  // The pages in Chromium. The everyday suite has one such journey, `test/journeys/referral-in-a-browser.test.ts`.
  'test/browser/**/*.test.ts',
  // They start and stop a PostgreSQL of their own for each test.
  'src/platform/database/embedded/**/*.test.ts',
  'src/platform/backup/**/*.test.ts',
  'src/site/own-database.test.ts',
  // They wait for connections that are cut, and for systems that hang.
  'src/platform/jobs/database-away.test.ts',
  'src/platform/database/notices/notices.test.ts',
  'src/delivery/send/hanging-systems.test.ts',
  // They carry databases over from early versions.
  'src/platform/database/migrate.test.ts',
];

const { TEST_SLOW, TEST_WHOLE_SITES } = process.env;
const chosen = () => {
  if (TEST_SLOW) return withMoreCases();
  return TEST_WHOLE_SITES === 'alone' ? withWholeSites : everyTest;
};

export default defineConfig({
  test: {
    include: chosen(),
    exclude: ['**/node_modules/**', ...(TEST_WHOLE_SITES ? [] : withWholeSites)],
    globalSetup: ['test/database/global-setup.ts'],
    reporters: ['default', './test/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // More than a third of the time tests wait for processes that they start. Four workers keep two cores busy.
    maxWorkers: 4,
    // Loading the modules anew for each file took more time than the tests. What a test file changes outside its own
    // app and database it therefore puts back.
    isolate: false,
    // With room for what each request leaves behind, collecting garbage takes a sixth less of a run’s processor time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // A hang ends here, and nothing else does: a busy machine takes twenty times as long as a quiet one.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
  },
});
