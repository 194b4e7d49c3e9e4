import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { deploy, freePort, read, requireThat, run, scratch, start, until } from './checks.ts';
import type { Site } from './site.ts';

type Rule = { alert: string; expr: string };

async function readQueries(): Promise<{ alerts: Rule[]; panels: { title: string; expr: string }[] }> {
  const [rules] = parseAllDocuments(await read('monitoring/alerts.yml')).map((each) => each.toJS());
  const dashboard = JSON.parse(await read('monitoring/dashboard.json'));
  const panels = dashboard.panels.flatMap(
    ({ title, targets }: { title: string; targets: { expr: string }[] }) =>
      targets.map(({ expr }) => ({
        title,
        expr: expr.replaceAll('$__rate_interval', '30s').replaceAll('$site', '.*'),
      })),
  );
  return { alerts: rules.groups.flatMap(({ rules }: { rules: Rule[] }) => rules), panels };
}

/** Panels that are empty for a new site. */
const mayBeEmpty = [
  'Failing requests',
  'Referrals made by API',
  'Messages by state',
  'Messages held, by reason',
  'Jobs waiting',
];

/** Lets a Prometheus with our settings read the site, then stops the site. */
export async function watch(site: Site): Promise<string> {
  const folder = join(scratch, 'prometheus');
  await mkdir(folder);
  const token = join(folder, 'token');
  // Not needed on the site's own machine, but Prometheus does not start without the file.
  await writeFile(token, 'no-token-is-needed-here');
  const config = (await read('monitoring/prometheus.yml'))
    .replaceAll('interval: 30s', 'interval: 1s')
    .replace('/etc/prometheus/onward.token', token)
    .replace('127.0.0.1:8080', `127.0.0.1:${site.port}`);
  await writeFile(join(folder, 'prometheus.yml'), config);
  await cp(join(deploy, 'monitoring', 'alerts.yml'), join(folder, 'alerts.yml'));
  run('promtool', ['check', 'config', join(folder, 'prometheus.yml')]);
  const port = await freePort();
  const listen = `--web.listen-address=127.0.0.1:${port}`;
  const prometheus = start('prometheus', [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    listen,
  ]);
  const query = async (expr: string): Promise<unknown[]> => {
    const answer = await fetch(
      `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: expr })}`,
    );
    const { status, error, data } = (await answer.json()) as {
      status: string;
      error?: string;
      data: { result: unknown[] };
    };
    if (status !== 'success') throw new Error(`${error} in ${expr}`);
    return data.result;
  };
  try {
    await until(
      () => `Prometheus reads the site\n${prometheus.output()}`,
      async () => (await query('up{job="onward"} == 1')).length > 0,
    );
    await until(
      'Prometheus has read it often',
      async () => (await query('count_over_time(up{job="onward"}[1m]) > 5')).length > 0,
    );
    const { alerts, panels } = await readQueries();
    for (const { alert, expr } of alerts)
      requireThat((await query(expr)).length === 0, `${alert} fires for a healthy site`);
    for (const { title, expr } of panels)
      requireThat(
        (await query(expr)).length > 0 || mayBeEmpty.includes(title),
        `“${title}” shows nothing: ${expr}`,
      );
    await site.stop();
    const down = alerts.find(({ alert }) => alert === 'OnwardDown')!;
    await until(
      'OnwardDown fires once the site has stopped',
      async () => (await query(down.expr)).length > 0,
    );
    return `${alerts.length} alerts, ${panels.length} queries of the dashboard`;
  } finally {
    await prometheus.stop();
  }
}
