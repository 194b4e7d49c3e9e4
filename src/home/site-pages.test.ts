import { deflateSync } from 'node:zlib';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { until } from '../../test/app/until.ts';
import { storedEntries } from '../../test/audit/stored.ts';
import { plainBrowser } from '../../test/people/plain-browser.ts';
import { signedInBrowser } from '../../test/people/signed-in-browser.ts';
import { saveContacts } from '../platform/contacts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { contrastWithWhite } from './edit-site-pages.ts';
import { sitePages } from './site-pages.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_OPERATOR_CONTACT: 'Olga Oak, 01432 260000' } });
});
afterAll(() => site.close());

async function anOperator() {
  const { email } = await anAccount(site.deps, { role: 'operator' });
  const browser = plainBrowser(site.app);
  await browser.signIn(email);
  return browser;
}

const open = async (path: string) => (await site.app.inject(path)).body;

describe('the pages of the footer', () => {
  it('are linked from every page, and have a text to begin with', async () => {
    const links = parse(await open('/signin')).querySelectorAll('footer a');
    const paths = links.map((link) => link.getAttribute('href'));
    for (const { name, title } of sitePages) {
      expect(paths).toContain(`/${name}`);
      const page = parse(await open(`/${name}`)).querySelector('main')!;
      expect(page.querySelector('h1')!.text).toBe(title);
      expect(page.text).not.toMatch(/[{}]/);
    }
    expect(await open('/contact')).toContain('Olga Oak, 01432 260000');
  });

  it('have the text that an operator wrote, until it is taken back', async () => {
    const operator = await anOperator();
    const text = '## Ring us\n\n[Any time](tel:01432260000) <script>alert(1)</script>';
    const preview = await operator.post('/operator/site/help', { text, action: 'preview' });
    expect(preview.body).toContain('>Ring us</h2>');
    expect(await open('/help')).not.toContain('Ring us');
    expect((await operator.post('/operator/site/help', { text })).headers.location).toContain(
      '/operator/site',
    );
    const written = await open('/help');
    expect(written).toContain('>Ring us</h2>');
    expect(written).not.toContain('<script>alert');
    expect((await operator.get('/operator/site')).body).toContain('Changed on');
    expect((await operator.post('/operator/site/help', { text: ' ' })).statusCode).toBe(422);
    expect((await operator.post('/operator/site/nothing', { text })).statusCode).toBe(404);
    await operator.post('/operator/site/help/default-text', {});
    expect(await open('/help')).not.toContain('Ring us');
    const entries = await storedEntries(site.deps.db, { subjectId: 'site' });
    expect(entries.map(({ action }) => action)).toContain('site.text_changed');
  });
});

describe('the contacts of the site', () => {
  let unset: TestApp;
  beforeAll(async () => {
    unset = await makeApp();
  });
  afterAll(() => unset.close());
  const footerOf = (body: string) => parse(body).querySelector('footer')!.text.replaceAll(/\s+/g, ' ');

  it('are named once an operator has entered them, not before', async () => {
    const operator = await signedInBrowser(unset, { role: 'operator' });
    const tile = 'main a[href="/operator/site#contacts"]';
    expect((await operator.open('/')).page.querySelector(tile)).not.toBeNull();
    expect((await operator.open('/contact')).text).toContain('No contact has been entered');
    expect(footerOf((await unset.app.inject('/signin')).body)).toContain('safety concern: see Contact.');

    const noAddress = { operator_contact: 'Asha Patel', safety_contact: '' };
    expect((await operator.send('/operator/site/contacts', noAddress)).status).toBe(422);
    const entered = { operator_contact: 'Asha Patel, 01632 960001', safety_contact: 'safety@example.org' };
    const saved = await operator.send('/operator/site/contacts', entered);
    expect((await operator.open(saved.location!)).text).toContain('The contacts were saved');
    expect(footerOf((await unset.app.inject('/signin')).body)).toContain(
      'safety concern: safety@example.org.',
    );
    expect((await unset.app.inject('/contact')).body).toContain('Asha Patel, 01632 960001');
    expect((await unset.app.inject('/reset')).body).not.toContain('the people who run');
    expect((await operator.open('/')).page.querySelector(tile)).toBeNull();
    const { page: inForce } = await operator.open('/operator/settings');
    expect(inForce.querySelectorAll('main a[href="/operator/site"]')).toHaveLength(2);
    const [entry] = (await storedEntries(unset.deps.db, { subjectId: 'site' })).slice(-1);
    expect(entry!.action).toBe('site.contacts_changed');
  });

  it('reach every process of the site', async () => {
    const contacts = { operatorContact: null, clinicalSafetyContact: 'Dr Hale, 01632 960777' };
    const at = unset.clock.now();
    await inTransaction(unset.deps.db, (trx) =>
      saveContacts(trx, { ...contacts, updatedAt: at, updatedByName: 'Olive Operator' }),
    );
    await until(async () =>
      footerOf((await unset.app.inject('/signin')).body).includes('Dr Hale, 01632 960777'),
    );
  });

  it('stay as the machine sets them', async () => {
    const operator = await anOperator();
    const page = parse((await operator.get('/operator/site')).body);
    expect(page.querySelector('#operator_contact')).toBeNull();
    await operator.post('/operator/site/contacts', { operator_contact: 'Else, 01632 960002' });
    expect(await open('/contact')).toContain('Olga Oak, 01432 260000');
  });
});

describe('the look of the site', () => {
  it('has the colour an operator chose, if white is readable on it', async () => {
    const operator = await anOperator();
    for (const colour of ['blue', '#12345', '#ffff00'])
      expect((await operator.post('/operator/site/colour', { colour })).statusCode).toBe(422);
    expect((await operator.post('/operator/site/colour', { colour: '#7C2855' })).statusCode).toBe(303);
    await until(async () => (await open('/signin')).includes('/assets/look.css?v=7c2855'));
    expect(await open('/assets/look.css')).toContain('--onward-colour: #7c2855');
    const cached = async (path: string) => (await site.app.inject(path)).headers['cache-control'];
    expect(await cached('/assets/look.css?v=7c2855')).toContain('max-age=31536000');
    // Another process made the page, with a colour that this one has not read yet.
    expect(await cached('/assets/look.css?v=00703c')).toBe('no-cache');
  });

  it('has a logo in PNG or JPEG, and no other file', async () => {
    const operator = await anOperator();
    const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
    const upload = (content: Buffer, name = 'logo.png') =>
      site.app.inject({
        method: 'POST',
        url: '/operator/site/logo',
        headers: {
          cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': 'multipart/form-data; boundary=edge',
        },
        payload: Buffer.concat([
          Buffer.from(`--edge\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
          content,
          Buffer.from('\r\n--edge--\r\n'),
        ]),
      });
    expect((await upload(Buffer.from('<svg onload="alert(1)"/>'))).statusCode).toBe(422);
    expect((await upload(Buffer.alloc(0), '')).statusCode).toBe(422);
    expect((await upload(Buffer.concat([pngSignature, Buffer.alloc(200_000)]))).statusCode).toBe(413);
    expect((await upload(aPng())).statusCode).toBe(303);
    await until(async () => (await open('/signin')).includes('/assets/logo?v='));
    const logo = await site.app.inject('/assets/logo');
    expect([logo.headers['content-type'], logo.rawPayload.equals(aPng())]).toEqual(['image/png', true]);
    await operator.post('/operator/site/logo/remove', {});
    await until(async () => (await site.app.inject('/assets/logo')).statusCode === 404);
  });
});

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const aPng = () => Buffer.concat([pngSignature, deflateSync(Buffer.from([0, 0]))]);

describe('the contrast of white on a colour', () => {
  it('is that of WCAG', () => {
    expect(contrastWithWhite('#ffffff')).toBeCloseTo(1);
    expect(contrastWithWhite('#000000')).toBeCloseTo(21);
    expect(contrastWithWhite('#767676')).toBeCloseTo(4.54, 2);
  });
});
