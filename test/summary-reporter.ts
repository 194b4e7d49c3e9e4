import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with a plain `N passed, N failed` on a line of its own, which CI reads. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((each) =>
      [...each.children.allTests()].map((test) => test.result().state),
    );
    const broken = modules.filter((each) => each.state() === 'failed' && each.errors().length > 0).length;
    const passed = states.filter((state) => state === 'passed').length;
    const failed = states.filter((state) => state === 'failed').length + broken + errors.length;
    const skipped = states.filter((state) => state === 'skipped').length;
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
}
