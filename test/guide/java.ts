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

const imports = `import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
`;

const fields = `
  static final String SITE = System.getenv("SITE");
  static final ObjectMapper JSON = new ObjectMapper();
  static final HttpClient HTTP = HttpClient.newHttpClient();
  static final String token = System.getenv("ACCESS_TOKEN");
`;

/** A program of what the guide prints without one: statements, or a method that `main` calls. */
export function programInJava(sample: string, main?: string): string {
  const body = main === undefined ? `static void run() throws Exception {\n${sample}}` : sample;
  return `${imports}
public class Sample {${fields}
${body}
  public static void main(String[] args) throws Exception {
    ${main ?? 'run();'}
  }
}
`;
}
