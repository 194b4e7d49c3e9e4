import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take most of a minute, whatever their size, by which a clean checkout orders them. */
const longest = [
  'test/rules/generated-requests.test.ts',
  'sdk/test/python.program.test.ts',
  'test/generators/generators.program.test.ts',
  'test/journeys/dress-rehearsal.program.test.ts',
  'test/reliability/killed-under-load.test.ts',
  'test/reliability/database-away.test.ts',
  'test/rules/restricted-services.test.ts',
  'src/site/identity.test.ts',
];

/** Starts the longest files first. Otherwise one of them may start last, and all cores but one wait for its end. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((path) => moduleId.endsWith(path));
      return found === -1 ? longest.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
