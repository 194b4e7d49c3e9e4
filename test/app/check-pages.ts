import type { App } from '../../src/platform/http/index.ts';

type Injected = { method?: string; url?: string | { pathname?: string }; path?: string };
type Answer = { headers: Record<string, unknown>; body: string };

/**
 * Checks every page that a test gets: no id stands twice, and what a label, a description or a link on the page names is
 * there. With an id twice, a click on the words of one tick box ticks another, which axe does not find.
 */
export function checkPages(app: App): void {
  const inject = app.inject.bind(app) as (options: Injected | string) => Promise<Answer>;
  app.inject = (async (options: Injected | string) => {
    const answer = await inject(options);
    const isPage =
      String(answer.headers['content-type']).startsWith('text/html') &&
      answer.headers['content-encoding'] === undefined;
    const faults = isPage ? faultsOf(answer.body) : [];
    if (faults.length === 0) return answer;
    const { url, path } = typeof options === 'string' ? { url: options } : options;
    const address = typeof url === 'object' ? url.pathname : (url ?? path);
    throw new Error(`${String(address).split('?')[0]}: ${faults.join(', ')}`);
  }) as never;
}

function faultsOf(html: string): string[] {
  const ids = [...html.matchAll(/<[a-z][^<>]*?\sid="([^"]+)"/g)].map(([, id]) => id!);
  const known = new Set(ids);
  const twice = [...known].filter((id) => ids.indexOf(id) !== ids.lastIndexOf(id));
  const named = [...html.matchAll(/\s(?:for|aria-labelledby|aria-describedby)="([^"]+)"/g)].flatMap(
    ([, list]) => list!.split(/\s+/),
  );
  const linked = [...html.matchAll(/\shref="#([^"]+)"/g)].map(([, id]) => id!);
  const missing = [...new Set([...named, ...linked])].filter((id) => !known.has(id));
  return [
    ...twice.map((id) => `the id “${id}” stands twice`),
    ...missing.map((id) => `nothing has the id “${id}”, which a label, description or link names`),
  ];
}
