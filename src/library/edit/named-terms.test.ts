import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { type Editors, type Holder, libraryEditors } from '../../../test/people/library-editors.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

let site: TestApp;
let operator: Holder;
let call: Editors['call'];
let found: Editors['found'];
beforeAll(async () => {
  site = await makeApp();
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  ({ call, found } = libraryEditors(site));
  await bring({ taxonomy_term: { id: 'kites', name: 'Kites' } });
});
afterAll(() => site.close());

const base = '/api/library/services';
const bring = (...things: object[]) =>
  importServices(
    site.deps,
    siteActor,
    Readable.from([Buffer.from(things.map((each) => JSON.stringify(each)).join('\n'))]),
  );
const named = (...ids: string[]) => ids.map((taxonomy_term_id) => ({ taxonomy_term_id }));
const withTerm = async (id: string) => {
  const { body } = await call(operator, 'GET', `${base}?taxonomy_term_id=${id}`);
  return body.contents.map((each: { name: string }) => each.name);
};

describe('a term named by its id alone', () => {
  it('is found and shown like a term sent whole', async () => {
    const body = { name: 'Hilltop', status: 'active', attributes: named('kites') };
    const made = await call(operator, 'POST', base, { body });
    expect(made.body.attributes[0].taxonomy_term).toMatchObject({ id: 'kites', name: 'Kites' });
    expect(await withTerm('kites')).toEqual(['Hilltop']);
    expect(await found(operator, 'kites')).toEqual([made.body.id]);
  });

  it('is refused with a pointer if the library does not have it', async () => {
    const body = { name: 'Hollow', status: 'active', attributes: named('kites', 'tunnels') };
    const { status, body: problem } = await call(operator, 'POST', base, { body });
    expect([status, problem.errors[0].pointer]).toEqual([422, '/attributes/1/taxonomy_term_id']);
  });

  it('does not block an edit if it came with an import', async () => {
    const brought = { id: 'cave', name: 'Cave', status: 'active', attributes: named('caving') };
    expect(await bring(brought)).toMatchObject({ created: 1 });
    expect(await withTerm('caving')).toEqual(['Cave']);
    const { body, etag } = await call(operator, 'GET', `${base}/cave`);
    expect(body.attributes).toEqual(brought.attributes);
    const edit = { etag, body: { ...body, alert: 'Wet' } };
    expect((await call(operator, 'PUT', `${base}/cave`, edit)).status).toBe(200);
  });
});
