import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with the tests that needed a second try, and a plain `N passed, N failed` on a line of its own, which CI reads. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((each) => [...each.children.allTests()]);
    const states = tests.map((test) => test.result().state);
    const broken = modules.filter((each) => each.state() === 'failed' && each.errors().length > 0).length;
    const passed = states.filter((state) => state === 'passed').length;
    const failed = states.filter((state) => state === 'failed').length + broken + errors.length;
    const skipped = states.filter((state) => state === 'skipped').length;
    const unsteady = tests.filter((test) => test.diagnostic()?.flaky);
    for (const test of unsteady)
      console.log(`Needed a second try: ${test.module.relativeModuleId}, ${test.fullName}`);
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
}
