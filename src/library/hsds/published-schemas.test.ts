import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { makeZip } from '../../../test/app/make-zip.ts';
import { setWaitingLists } from '../../../test/library/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

// Open Referral's published schemas are not part of this project. Where a copy lies beside it, every answer is checked.

const root = join(import.meta.dirname, '..', '..', '..');
const spec = join(root, '..', 'shared', 'spec');
const realServices = join(root, '..', 'shared', 'data', 'library-herefordshire.ndjson');
const sampleServices = join(root, 'sample', 'library.ndjson');

/** A service with only the fields that HSDS requires. */
const terse = {
  id: '7f3f2a52-5c49-4a5e-9a5e-0d3f3e0c1a01',
  name: 'Zebra crossing',
  status: 'active',
  service_at_locations: [{ id: '7f3f2a52-5c49-4a5e-9a5e-0d3f3e0c1a02' }],
};
/** Its organisation, term and taxonomy lack the descriptions that HSDS requires of them by themselves. */
const undescribed = {
  id: '7f3f2a52-5c49-4a5e-9a5e-0d3f3e0c1a03',
  name: 'Aardvark aid',
  status: 'inactive',
  organization: { id: '7f3f2a52-5c49-4a5e-9a5e-0d3f3e0c1a04', name: 'Aardvarks' },
  attributes: [
    {
      id: '7f3f2a52-5c49-4a5e-9a5e-0d3f3e0c1a05',
      taxonomy_term: { id: '7f3f2a52-5c49-4a5e-9a5e-0d3f3e0c1a06', name: 'Zeal' },
    },
  ],
};

const ids = Object.fromEntries(
  ['w', 'o', 'l', 'p', 'n'].map((name, index) => [name, `7f3f2a52-5c49-4a5e-9a5e-0d3f3e0c1b0${index}`]),
);
/** A package of HSDS 1.x, which does not require the ids, schemes and countries of 3.0. */
const oldPackage = {
  'services.csv': `id,organization_id,name,url,languages,accepted_payments\n${ids.w},${ids.o},Old walks,www.example.org/walks,"Welsh, Polish",Cash\n`,
  'organizations.csv': `id,name,url\n${ids.o},Old trust,example.org\n`,
  'locations.csv': `id,name,accessibility,latitude,longitude\n${ids.l},Hall,"ramp, lift",100,1\n`,
  'services_at_location.csv': `service_id,location_id\n${ids.w},${ids.l}\n`,
  'physical_addresses.csv': `location_id,address_1,city,postal_code\n${ids.l},1 Bell Yard,Sarrowby,ZT1 2TP\n`,
  'phones.csv': `location_id,number\n${ids.l},01632 960001\n${ids.l},\n`,
  'contacts.csv': `service_id,name\n${ids.w},Ann\n`,
  'regular_schedules.csv': `service_id,weekday,opens_at,closes_at\n${ids.w},2,10:00,12:00\n`,
  'holiday_schedules.csv': `service_id,closed,start_date,end_date\n${ids.w},true,2026-12-24,2026-12-27\n`,
  'required_documents.csv': `service_id,document\n${ids.w},Proof of address\n`,
  'taxonomy.csv': `id,name,parent_id,parent_name,vocabulary\n${ids.n},Walking,,,Needs\n`,
  'services_taxonomy.csv': `service_id,taxonomy_id\n${ids.w},${ids.n}\n`,
};

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  const terseLines = Readable.from([Buffer.from(`${JSON.stringify(terse)}\n${JSON.stringify(undescribed)}`)]);
  const files = [sampleServices, realServices].filter(existsSync).map((file) => createReadStream(file));
  for (const source of [...files, terseLines, Readable.from([makeZip(oldPackage)])])
    await importServices(site.deps, siteActor, source);
  await setWaitingLists(site.deps.db);
});
afterAll(() => site.close());

/** A query whose answers have the fields for places and facets too. */
const near = '&latitude=54.05&longitude=-2.15&facets=taxonomy_term_id,day,capacity';

const profiles = ['hsds-3.0', 'oruk-3.0'] as const;

describe.runIf(existsSync(spec)).each(profiles)('%s', (profile) => {
  const { validator, paths } = existsSync(spec) ? published(profile) : ({} as ReturnType<typeof published>);
  const hold = (path: string, answer: unknown) => {
    const check = validator(path);
    check(answer);
    expect(check.errors ?? [], path).toEqual([]);
  };

  it('answers every published path as its schema says', async () => {
    for (const path of paths.filter((each) => !each.includes('{'))) {
      hold(path, await get(path));
      const listed = paths.includes(`${path}/{id}`) ? (await get(`${path}?per_page=500`)).contents : [];
      for (const { id } of listed) hold(`${path}/{id}`, await get(`${path}/${id}`));
    }
  });

  it('describes the first, a middle, the last and an empty page', async () => {
    for (const path of paths.filter((each) => paths.includes(`${each}/{id}`))) {
      for (const form of ['', '&full=true', '&full_service=true', '&search=the%20community', near]) {
        const first = await get(`${path}?per_page=7${form}`);
        const last = first.total_pages;
        for (const page of [1, Math.ceil(last / 2), last, last + 1].filter((number) => number > 0)) {
          const answer = await get(`${path}?per_page=7&page=${page}${form}`);
          hold(path, answer);
          expect(answer.size, `${path} ${page}`).toBe(answer.contents.length);
          expect(answer.empty).toBe(page > last || last === 0);
        }
      }
    }
  });

  it('gives the same items in ndjson lines as on pages', async () => {
    for (const path of paths.filter((each) => paths.includes(`${each}/{id}`))) {
      const { body } = await site.app.inject(`/api/library${path}?format=ndjson&full=true`);
      const contents = body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      hold(path, { contents });
    }
  });

  it('has services at locations that satisfy their own schema', async () => {
    const check = ownSchema(profile);
    for (const { id } of (await get('/service_at_locations?per_page=500')).contents) {
      const answer = await get(`/service_at_locations/${id}`);
      check(answer);
      expect(check.errors ?? []).toEqual([]);
      expect(answer.service).not.toHaveProperty('service_at_locations');
    }
  });
});

async function get(path: string) {
  const answer = await site.app.inject(`/api/library${path}`);
  expect(answer.statusCode, path).toBe(200);
  return answer.json();
}

function read(profile: string, file: string) {
  return JSON.parse(readFileSync(join(spec, profile, file), 'utf8'));
}

/** Not strict: the files have keywords of their own, such as `format: "csv"` for a table. */
function ajvOf(profile: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const file of globSync('*.json', { cwd: join(spec, profile) })) {
    if (file !== 'openapi.json') ajv.addSchema(read(profile, file), file);
  }
  // The UK profile refers to HSDS for schemas that it does not change.
  for (const file of ['taxonomy.json', 'taxonomy_term.json', 'metadata.json']) {
    if (!ajv.getSchema(file)) ajv.addSchema(read('hsds-3.0', file), file);
  }
  return ajv;
}

function published(profile: (typeof profiles)[number]) {
  const openapi = read(profile, 'openapi.json');
  const ajv = ajvOf(profile);
  ajv.addSchema(openapi.components.schemas.Page, 'page.json');
  const here = (_: string, reference: string) => {
    const file = basename(reference);
    if (file === 'Page') return '"$ref":"page.json"';
    // HSDS's short forms are compiled from these and require the same fields.
    return `"$ref":"${ajv.getSchema(file) ? file : file.replace('_list', '')}"`;
  };
  const compiled = new Map<string, ValidateFunction>();
  const validator = (path: string) => {
    const known = compiled.get(path);
    if (known) return known;
    const { schema } = openapi.paths[path].get.responses[200].content['application/json'];
    const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll(/"\$ref":"([^"]+)"/g, here)));
    compiled.set(path, check);
    return check;
  };
  return { validator, paths: Object.keys(openapi.paths) };
}

function ownSchema(profile: string) {
  return ajvOf(profile).getSchema('service_at_location.json')!;
}
