import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { apiClient, copyKeys } from '../test/api-client.ts';
import { pageVisitor } from '../test/page-visitor.ts';
import { freePort } from '../test/site-process.ts';
import { loadTool, measure, onCore } from './load.ts';
import { startBenchSite } from './site.ts';

/**
 * `GET /api/token/status` with the request log on, beside an empty Fastify handler in the same run: one core for the
 * server, one for the load. To reach: 40 % of the empty handler (issue 2).
 */
export async function benchTokenStatus(): Promise<void> {
  const site = await startBenchSite();
  const port = await freePort();
  const [command, args] = onCore(0, [process.execPath, 'bench/empty-handler.ts', String(port)]);
  const empty = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(empty.stdout, 'data');
  try {
    const person = pageVisitor(site.baseUrl);
    await person.signIn(site.logins.referrer);
    const { access } = await copyKeys(person);
    if ((await apiClient(site.baseUrl, access).get('/api/token/status')).status !== 200)
      throw new Error('no token');
    const headers = { authorization: `Bearer ${access}` };
    const ratios: number[] = [];
    // Both are measured warm: the engine compiles what it runs often while it runs.
    await measure(`http://127.0.0.1:${port}`, { path: '/', seconds: 3 });
    await measure(site.baseUrl, { path: '/api/token/status', headers, seconds: 6 });
    for (let round = 1; round <= 3; round += 1) {
      const ceiling = await measure(`http://127.0.0.1:${port}`, { path: '/' });
      const status = await measure(site.baseUrl, { path: '/api/token/status', headers });
      ratios.push(status.perSecond / ceiling.perSecond);
      console.log(
        `token/status ${status.perSecond.toFixed(0)}/s (p99 ${status.p99Ms} ms), empty handler ${ceiling.perSecond.toFixed(0)}/s: ${(ratios.at(-1)! * 100).toFixed(0)} %`,
      );
    }
    const median = ratios.sort((a, b) => a - b)[1]!;
    console.log(
      `token/status: median ${(median * 100).toFixed(0)} % of an empty handler (to reach: 40 %), load by ${loadTool}`,
    );
  } finally {
    empty.kill();
    await site.remove();
  }
}
