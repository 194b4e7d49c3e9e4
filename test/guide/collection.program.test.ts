import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleKeys } from '../people/api-client.ts';
import { readySite } from '../process/ready-site.ts';
import type { SiteProcess } from '../process/site-process.ts';

// The collection runs as Postman and Bruno run it: its variables are filled in, and its scripts are run after each answer.

type Script = { listen: string; script: { exec: string[] } };
type Call = {
  name: string;
  request: {
    method: string;
    header: { key: string; value: string }[];
    url: { raw: string };
    body?: { raw: string };
    auth?: { type: string };
  };
  event?: Script[];
};
type Collection = {
  variable: { key: string; value: string }[];
  event: Script[];
  item: { name: string; item: Call[] }[];
};

let site: SiteProcess;
let collection: Collection;
const variables = new Map<string, string>();
beforeAll(async () => {
  site = await readySite();
  collection = await ((
    await fetch(`${site.baseUrl}/api/docs/collection.json`)
  ).json() as Promise<Collection>);
  for (const { key, value } of collection.variable) variables.set(key, value);
  variables.set('refreshToken', (await sampleKeys(site, 'referrer')).refresh);
});
afterAll(() => site.remove());

const filled = (text: string) =>
  text
    .replaceAll('{{$guid}}', () => crypto.randomUUID())
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '');

async function run({ request, event = [] }: Call): Promise<number> {
  const headers = new Headers(request.header.map(({ key, value }) => [key, filled(value)]));
  if (request.auth?.type !== 'noauth') headers.set('authorization', `Bearer ${variables.get('accessToken')}`);
  const answer = await fetch(filled(request.url.raw), {
    method: request.method,
    headers,
    ...(request.body && { body: filled(request.body.raw) }),
  });
  const text = await answer.text();
  const pm = {
    response: { json: () => JSON.parse(text), headers: answer.headers },
    collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
  };
  if (answer.ok)
    for (const { script } of [...collection.event, ...event]) new Function('pm', script.exec.join('\n'))(pm);
  return answer.status;
}

describe('the collection for Postman and Bruno', () => {
  it('refers and cancels from top to bottom of “Start here”, twice', async () => {
    const [first] = collection.item;
    expect(first!.name).toBe('Start here');
    const statuses = [];
    for (const call of [...first!.item, ...first!.item]) statuses.push([call.name, await run(call)]);
    expect(statuses.filter(([, status]) => status !== 200 && status !== 201)).toEqual([]);
    expect(statuses).toHaveLength(18);
  });

  it('has every other call, with a JSON body and a whole address', () => {
    const calls = collection.item.flatMap(({ item }) => item);
    expect(calls.length).toBeGreaterThan(100);
    for (const { name, request } of calls) {
      expect(request.url.raw, name).toMatch(/^\{\{site\}\}\/api\/[\w/{}.-]*$/);
      if (request.body) expect(() => JSON.parse(request.body!.raw), name).not.toThrow();
    }
  });
});
