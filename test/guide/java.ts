import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The class path of Jackson, which the guide's samples in Java use, on machines that have Java 17 and a Jackson in Maven's
 * store; undefined on others, where these samples are not run.
 */
export const jackson = findJackson();

function findJackson(): string | undefined {
  try {
    const [, version] = /javac (\d+)/.exec(execFileSync('javac', ['--version'], { encoding: 'utf8' })) ?? [];
    if (Number(version) < 17) return undefined;
  } catch {
    return undefined;
  }
  const store = join(homedir(), '.m2', 'repository', 'com', 'fasterxml', 'jackson', 'core');
  const jars = ['databind', 'core', 'annotations'].map((part) =>
    globSync(`jackson-${part}/2.*/jackson-${part}-2.*.jar`, { cwd: store })
      .filter((jar) => !/-(sources|javadoc)\.jar$/.test(jar))
      .toSorted(new Intl.Collator('en', { numeric: true }).compare),
  );
  const newest = jars.map((each) => each.at(-1));
  return newest.includes(undefined) ? undefined : newest.map((jar) => join(store, jar!)).join(':');
}
