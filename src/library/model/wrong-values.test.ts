import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { emptyLibrary } from '../../../test/database/empty-library.ts';
import { libraryEditors } from '../../../test/people/library-editors.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

// Values of the right type that cannot be right. An import leaves them out and reports them; the API refuses them.

let site: TestApp;
let operator: Awaited<ReturnType<typeof aTokenHolder>>;
let call: ReturnType<typeof libraryEditors>['call'];
beforeAll(async () => {
  site = await makeApp();
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  ({ call } = libraryEditors(site));
});
beforeEach(() => emptyLibrary(site.deps.db));
afterAll(() => site.close());

const bring = (...services: object[]) =>
  importServices(
    site.deps,
    siteActor,
    Readable.from([Buffer.from(services.map((each) => JSON.stringify(each)).join('\n'))]),
  );
const read = async (id = 'a') => (await call(operator, 'GET', `/api/library/services/${id}`)).body;
const aService = (more: object) => ({ id: 'a', name: 'A', status: 'active', ...more });

const mustBeEmail = 'must be an email address such as name@example.org';
type Wrong = [name: string, more: object, pointer: string, message: string];
const wrong: Wrong[] = [
  ['an email address', { email: 'not an email' }, '/email', mustBeEmail],
  ['two email addresses', { email: 'a@example.org; b@example.org' }, '/email', mustBeEmail],
  ['the address of who checked it', { assurer_email: 'Jo' }, '/assurer_email', mustBeEmail],
  ['a contact’s', { contacts: [{ name: 'Jo', email: '@example.org' }] }, '/contacts/0/email', mustBeEmail],
  ['an age', { maximum_age: -3 }, '/maximum_age', 'must not be less than 0'],
  [
    'a cost',
    { cost_options: [{ option: 'Adult', amount: -0.5 }] },
    '/cost_options/0/amount',
    'must not be less than 0',
  ],
  ['a day', { assured_date: '32/13/2020' }, '/assured_date', 'must be a day such as 2026-11-21'],
  [
    'a day that never was',
    { assured_date: '2026-02-30' },
    '/assured_date',
    'must be a day such as 2026-11-21',
  ],
  [
    'a telephone number',
    { phones: [{ number: '0'.repeat(5000) }] },
    '/phones/0/number',
    'must have at most 200 characters',
  ],
  [
    'an empty telephone number',
    { phones: [{ id: 'p', number: ' ' }] },
    '/phones/0/number',
    'must not be empty',
  ],
  [
    'a password',
    { url: 'http://a:b@example.org/' },
    '/url',
    'must have no user name or password before the host',
  ],
  ...['https://exa mple.org', 'http://', 'https://example.org:99999/'].map(
    (url): Wrong => [
      `a host that cannot be (${url})`,
      { url },
      '/url',
      'must be a web address such as https://example.org/help',
    ],
  ),
  [
    'no scheme',
    { url: '//example.org/a' },
    '/url',
    'must be a web address that begins with https:// or http://',
  ],
  [
    'half a scheme',
    { url: 'https:example.org' },
    '/url',
    'must be a web address that begins with https:// or http://',
  ],
];

describe('removeInvalidValues', () => {
  it.each(
    wrong,
  )('%s that is none is left out of imports, refused from programs', async (_name, more, pointer, message) => {
    const result = await bring(aService({ description: 'Kept', ...more }));
    expect(result).toMatchObject({ created: 1, rejected: 0, parts_left_out: 1 });
    expect(result.leftOut.parts).toMatchObject([
      { count: 1, reason: message, first: [{ id: 'a', pointer }] },
    ]);
    const stored = await read();
    expect(stored.description).toBe('Kept');
    for (const name of Object.keys(more))
      expect(JSON.stringify(stored[name] ?? '')).not.toMatch(/not an|-3|-0.5|:b@|0{500}/);

    const sent = { body: { ...aService(more), id: undefined } };
    const { status, body } = await call(operator, 'POST', '/api/library/services', sent);
    expect([status, body.errors]).toEqual([400, [{ pointer, message }]]);
  });

  it('removes an entry that means nothing without its value', async () => {
    const long = { number: '0'.repeat(201), type: 'voice' };
    await bring(aService({ phones: [long, { number: '01632 960001' }, long] }));
    expect((await read()).phones).toMatchObject([{ number: '01632 960001' }]);
  });

  it('leaves fields that HSDS does not have', async () => {
    const own = { x_cost: { amount: -5 }, assured: '32/13/2020', constructor: 'x', toString: -1 };
    expect(await bring(aService(own))).toMatchObject({ created: 1, parts_left_out: 0 });
    expect(await read()).toMatchObject(own);
  });
});

describe('addresses as people write them', () => {
  const typed = { email: 'mailto:a@example.org?subject=Hello', url: 'www.example.org/help' };

  it('are completed where somebody sends them', async () => {
    const { status, body } = await call(operator, 'POST', '/api/library/services', {
      body: { name: 'A', status: 'active', ...typed },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ email: 'a@example.org', url: 'https://www.example.org/help' });
  });

  it('are read by an import, which leaves nothing out', async () => {
    expect(await bring(aService(typed))).toMatchObject({ created: 1, parts_left_out: 0 });
    expect(await read()).toMatchObject({ email: 'a@example.org', url: 'www.example.org/help' });
  });
});
