import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

// Terms are imported with their services, so parts of a tree may be missing or wrong.

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  const lines = [
    taggedWith('root'),
    taggedWith('middle', 'root'),
    taggedWith('leaf', 'middle'),
    taggedWith('orphan', 'unknown'),
    taggedWith('self', 'self'),
    taggedWith('chicken', 'egg'),
    taggedWith('egg', 'chicken'),
  ];
  await importServices(site.deps, siteActor, Readable.from([Buffer.from(lines.join('\n'))]));
});
afterAll(() => site.close());

function taggedWith(id: string, parent_id?: string): string {
  const attributes = [{ taxonomy_term: { id, name: id, parent_id } }];
  return JSON.stringify({ id: `of-${id}`, name: id, status: 'active', attributes });
}
const names = async (path: string) => {
  const answer = await site.app.inject(`/api/library${path}`);
  return answer.json().contents.map(({ name }: { name: string }) => name);
};

describe('a tree of terms', () => {
  it('can be followed from the top to every term in no circle', async () => {
    expect(await names('/taxonomy_terms?top_only=true')).toEqual(['orphan', 'root', 'self']);
    expect(await names('/taxonomy_terms?parent_id=root')).toEqual(['middle']);
    expect(await names('/taxonomy_terms?parent_id=middle')).toEqual(['leaf']);
  });

  it.each([
    ['root', ['leaf', 'middle', 'root']],
    ['middle', ['leaf', 'middle']],
    ['unknown', ['orphan']],
    ['self', ['self']],
    ['egg', ['chicken', 'egg']],
  ])('finds a service by its term and all terms above: %s', async (term, services) => {
    expect(await names(`/services?taxonomy_term_id=${term}`)).toEqual(services);
  });
});
