import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { definitions } from '../../src/platform/settings/definitions.ts';
import { readSettings } from '../../src/platform/settings/index.ts';
import { aReferral, aService, aTokenHolder } from '../app/builders.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  // Somebody's own settings, which git leaves out.
  .filter((file) => !/compose\/(\.env|onward\.env)$/.test(file));
const yamlFiles = files.filter((file) => file.endsWith('.yaml') || file.endsWith('.yml'));

const documentsOf = (file: string): any[] =>
  parseAllDocuments(read(file), { merge: true }).map((each) => each.toJS());

describe('the files for deployment', () => {
  it.each(yamlFiles)('%s is YAML', (file) => {
    for (const document of parseAllDocuments(read(file), { merge: true }))
      expect([...document.errors, ...document.warnings]).toEqual([]);
  });

  it('name no setting that does not exist', () => {
    const known = Object.values(definitions).map(({ variable }) => variable);
    for (const file of files) {
      const named = read(file).match(/\bONWARD_[A-Z_]+[A-Z]\b/g) ?? [];
      expect(known, file).toEqual(expect.arrayContaining(named));
    }
  });

  it('start a site by the same line everywhere', () => {
    const starts = files
      .filter((file) => !file.startsWith('deploy/check/'))
      .flatMap((file) => read(file).match(/^.*\bsrc\/main\.ts.*$/gm) ?? []);
    expect(starts.filter((line) => !line.startsWith('#'))).toEqual([
      'CMD ["node", "src/main.ts"]',
      'ExecStart=/opt/onward/node_modules/.bin/node src/main.ts',
    ]);
    // `exec`, so that a signal to npm reaches the site and not a shell in between.
    expect(JSON.parse(read('package.json')).scripts.start).toBe('exec node src/main.ts');
    const compose = documentsOf('deploy/compose/compose.yaml')[0];
    expect(compose.services.onward).not.toHaveProperty('command');
    const pods = documentsOf('deploy/kubernetes/onward.yaml').find(({ kind }) => kind === 'StatefulSet');
    expect(pods.spec.template.spec.containers[0]).not.toHaveProperty('command');
  });

  it('give the image the Node that package.json has', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    expect(read('deploy/Dockerfile')).toContain(`FROM node:${dependencies.node}-bookworm-slim AS build`);
  });

  it('let into the image exactly what the Dockerfile copies', () => {
    const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, from]) =>
      from!.split(' '),
    );
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
    expect(copied.sort()).toEqual(allowed.sort());
  });

  it('have the settings that a live site needs', () => {
    const example = Object.fromEntries(
      [...read('deploy/compose/onward.env.example').matchAll(/^(ONWARD_\w+)=(.+)$/gm)].map(
        ([, name, value]) => [name!, value!],
      ),
    );
    const compose = documentsOf('deploy/compose/compose.yaml')[0].services.onward.environment;
    const filledIn = Object.entries(compose).map(([name, value]) => [
      name,
      String(value).replace(/\$\{(\w+)[^}]*\}/g, (_, variable) =>
        variable === 'SITE_ADDRESS' ? 'referrals.example.org' : 'secret',
      ),
    ]);
    expect(readSettings({ ...example, ...Object.fromEntries(filledIn) }).mode).toBe('live');
    const cluster = documentsOf('deploy/kubernetes/onward.yaml').find(
      ({ kind }) => kind === 'ConfigMap',
    ).data;
    const database = 'postgres://onward:secret@db.example.org/onward?sslmode=verify-full';
    expect(readSettings({ ...example, ...cluster, ONWARD_DATABASE_URL: database }).mode).toBe('live');
  });

  it('are where the guide says', () => {
    const named = read('docs/operating.md').match(/\bdeploy\/[\w@./-]*[\w]/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    for (const file of named.filter((each) => !each.endsWith('.env')))
      expect(existsSync(join(root, file)), file).toBe(true);
  });
});

type Rule = { alert: string; expr: string; annotations: { summary: string; runbook: string } };
const rules: Rule[] = documentsOf('deploy/monitoring/alerts.yml')[0].groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json'));
const queries: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets }: { title: string; targets: { expr: string }[] }) =>
    // What Grafana puts in before it asks.
    targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '2m').replaceAll('$site', '.*')]),
  ),
];

describe('alerts and dashboard', () => {
  let site: TestApp;
  /** The label names of each metric that a site has; of some there is nothing to be told yet. */
  const metrics = new Map<string, Set<string>>();

  beforeAll(async () => {
    site = await makeApp();
    const { headers } = await aTokenHolder(site.deps);
    const { serviceId } = await aService(site.deps);
    await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload: aReferral(serviceId) });
    const { body } = await site.app.inject({ url: '/metrics', headers: { host: 'localhost:8080' } });
    for (const [, name] of body.matchAll(/^# TYPE (\w+)/gm)) metrics.set(name!, new Set());
    for (const [, name, labels = ''] of body.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
      const known = metrics.get(name!) ?? new Set<string>();
      for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
      metrics.set(name!, known);
    }
    // What Prometheus adds.
    metrics.set('up', new Set(['job']));
  });
  afterAll(() => site.close());

  it.each(queries)('%s asks for what /metrics has: %s', (_, query) => {
    const { names, labels, faults } = readQuery(query);
    expect(faults).toEqual([]);
    expect([...metrics.keys()]).toEqual(expect.arrayContaining(names));
    const known = ['site', 'instance', 'job', ...names.flatMap((name) => [...(metrics.get(name) ?? [])])];
    const areAllTold = names.every((name) => metrics.get(name)!.size > 0);
    if (areAllTold) expect(known).toEqual(expect.arrayContaining(labels));
  });

  it.each(rules)('$alert has a paragraph in the guide', ({ alert, annotations }) => {
    expect(read('docs/operating.md')).toMatch(new RegExp(`^### ${alert}\\n\\n\\w`, 'm'));
    expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`);
  });
});

/** The metrics and labels that a query of Prometheus names, and where it cannot be read. */
function readQuery(query: string): { names: string[]; labels: string[]; faults: string[] } {
  const names: string[] = [];
  const labels: string[] = [];
  const faults: string[] = [];
  parser.parse(query).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) faults.push(`at ${from}: ${query.slice(from)}`);
      if (name === 'Identifier') names.push(query.slice(from, to));
      if (name === 'LabelName') labels.push(query.slice(from, to));
    },
  });
  return { names, labels, faults };
}
