import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { libraryEditors } from '../../../test/people/library-editors.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';
import { webLink } from '../view/links.ts';
import { errorInWebAddress } from './web-address.ts';

const bad = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' \u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'javascript :alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'https:example.org',
  'http:/example.org',
  'http://name:password@example.org/',
  'https://name@example.org',
];

describe('an address that leads to no web page', () => {
  it.each(bad)('is reported, and no link is made of it: %j', (address) => {
    expect(errorInWebAddress(address)).toBeTypeOf('string');
    expect(webLink(address)?.href).toBeUndefined();
  });
});

describe('an address', () => {
  it.each([
    'https://example.org',
    'HTTP://example.org/a:b',
    'www.example.org',
    'example.org:8080',
    'urn:x:y',
    '',
  ])('may be %j', (address) => {
    expect(errorInWebAddress(address)).toBeUndefined();
  });

  it.each([
    ['www.example.org', 'https://www.example.org'],
    ['example.org/help?a=b', 'https://example.org/help?a=b'],
    ['https://example.org', 'https://example.org'],
    ['see our page', undefined],
    ['1.5', undefined],
  ])('is linked: %s to %s', (address, href) => {
    expect(webLink(address)?.href).toBe(href);
  });
});

describe('a service with an address that leads nowhere', () => {
  let site: TestApp;
  beforeAll(async () => {
    site = await makeApp();
  });
  afterAll(() => site.close());
  const [script] = bad;
  const service = {
    id: 'a',
    name: 'A',
    status: 'active',
    url: script,
    organization: { id: 'o', name: 'O', website: 'https://o.example.org' },
    service_at_locations: [{ id: 'p', location: { id: 'l', url: bad[1], name: 'Hall' } }],
    attributes: [{ id: 'at', taxonomy_term: { id: 't', name: 'T', term_uri: bad[2] } }],
  };

  it('is imported without it and reported with a pointer', async () => {
    const loose = { organization: { id: 'idle', name: 'Idle', logo: bad[5] } };
    const text = [service, loose].map((each) => JSON.stringify(each)).join('\n');
    const result = await importServices(site.deps, siteActor, Readable.from([Buffer.from(text)]));
    expect(result).toMatchObject({ created: 2, rejected: 0, parts_left_out: 4 });
    expect(result.leftOut.csv).toContain('must be a web address that begins with https:// or http://');
    const { call } = libraryEditors(site);
    const { body } = await call(
      await aTokenHolder(site.deps, { role: 'operator' }),
      'GET',
      '/api/library/services/a',
    );
    expect(JSON.stringify(body)).not.toMatch(/script/i);
    expect(body).toMatchObject({ organization: { website: 'https://o.example.org' } });
  });

  it('is refused by the API with a pointer to each address', async () => {
    const { call } = libraryEditors(site);
    const operator = await aTokenHolder(site.deps, { role: 'operator' });
    const { status, body } = await call(operator, 'POST', '/api/library/services', { body: service });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/url',
      '/service_at_locations/0/location/url',
      '/attributes/0/taxonomy_term/term_uri',
    ]);
  });
});
