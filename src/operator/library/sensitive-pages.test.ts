import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { commandLineActor } from '../../accounts/index.ts';
import { importServices, previewFile } from '../../exchange/index.ts';
import { countMarkedByWords, countMarkedWithPlace } from '../../library/index.ts';

const path = '/operator/library/sensitive';
let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp({ worker: true });
  operator = await signedInBrowser(site, { role: 'operator' });
});
afterAll(() => site.close());

const refuges = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    return `${JSON.stringify({ id: `${prefix}-${number}`, name: `${prefix} refuge ${number}`, status: 'active' })}\n`;
  }).join('');

const bytes = (text: string) =>
  (async function* () {
    yield Buffer.from(text);
  })();

describe('the page of sensitive services to confirm', () => {
  it('counts all of them, and lists them in pages', async () => {
    await importServices(site.deps, commandLineActor, bytes(refuges(113, 'Vale')));
    const { text, page } = await operator.open(path);
    expect(text).toContain('1 to 50 of 113');
    expect(page.querySelectorAll('tbody tr')).toHaveLength(50);
    expect(page.querySelector('tbody tr')!.text).toContain('“refuge”');
    const last = await operator.open(`${path}?page=3`);
    expect(last.text).toContain('101 to 113 of 113');
    expect((await operator.open('/operator/library')).text).toContain(
      '113 new services are marked as sensitive',
    );
    expect((await operator.open('/operator')).text).toMatch(/Sensitive services to confirm\s+113 to confirm/);
    expect((await operator.open('/')).text).toMatch(/113\s*Sensitive services to confirm/);
  });

  it('confirms what was ticked, once, and keeps the page', async () => {
    const before = await countMarkedByWords(site.deps.db);
    const ticked = { service: ['Vale-051', 'Vale-052'] };
    const { location } = await operator.send(`${path}?page=2`, ticked);
    expect(location).toBe(`${path}?page=2&confirmed=2`);
    expect((await operator.open(location!)).text).toContain('2 services were confirmed as sensitive.');
    expect(await countMarkedByWords(site.deps.db)).toBe(before - 2);
    const again = await operator.send(`${path}?page=2`, ticked);
    expect(again.location).toBe(`${path}?page=2&confirmed=0`);
    const entries = await storedEntries(site.deps.db, {
      action: 'service.referral_settings_changed',
    });
    expect(entries.filter(({ details }) => (details as { confirmed?: boolean })?.confirmed)).toHaveLength(2);
  });

  it('takes the mark off all that the page showed, with a reason', async () => {
    await importServices(site.deps, commandLineActor, bytes(refuges(2, 'Aalto')));
    const { page } = await operator.open(path);
    const before = await countMarkedByWords(site.deps.db);
    const shown = page
      .querySelectorAll('input[name=shown]')
      .map((each) => each.getAttribute('value')!)
      .filter((id) => id.startsWith('Aalto'));
    expect(shown).toHaveLength(2);
    const silent = await operator.send(path, { action: 'none', shown, reason: '' });
    expect([silent.status, silent.page.querySelector('.nhsuk-error-summary') === null]).toEqual([422, false]);
    const form = { action: 'none', shown, reason: 'They are cafés named Refuge.' };
    const { location } = await operator.send(path, form);
    expect(location).toBe(`${path}?denied=2`);
    expect((await operator.open(location!)).text).toContain('2 services are not sensitive any more');
    expect(await countMarkedByWords(site.deps.db)).toBe(before - 2);
    expect((await operator.send(path, form)).location).toBe(`${path}?denied=0`);
    const entries = await storedEntries(site.deps.db, { action: 'service.referral_settings_changed' });
    const said = entries.filter(({ details }) => (details as { sensitive?: boolean }).sensitive === false);
    expect(said.map(({ subject_id }) => subject_id)).toEqual(shown);
    const why = 'Why: They are cafés named Refuge.';
    await until(async () => (await mailsTo(site, operator.email)).some(({ text }) => text.includes(why)));
  });

  it('says “place shown” only of a service that has one', async () => {
    const lane = { address_1: '3 Hidden Lane', city: 'Sarrowby', state_province: '', country: 'GB' };
    const at = (location: object) => ({ service_at_locations: [{ id: JSON.stringify(location), location }] });
    const lines = [
      { id: 'lane', name: 'Aa refuge in a lane', ...at({ id: 'lane', addresses: [lane] }) },
      { id: 'chat', name: 'Aa refuge by chat', ...at({ id: 'chat', location_type: 'virtual' }) },
      { id: 'bare', name: 'Aa refuge that says no more' },
    ].map((each) => `${JSON.stringify({ status: 'active', ...each })}\n`);
    const before = await countMarkedWithPlace(site.deps.db);
    await importServices(site.deps, commandLineActor, bytes(lines.join('')));
    const shown = (await operator.open(path)).page
      .querySelectorAll('tbody tr')
      .filter((row) => row.text.includes('Aa refuge'))
      .map((row) => row.querySelectorAll('td')[2]!.text.replace('Its place', '').trim());
    expect(shown).toEqual(['No place', 'Place shown', 'No place']);
    expect((await countMarkedWithPlace(site.deps.db)) - before).toBe(1);
  });

  it('says in a preview which new services it would mark', async () => {
    const file = { name: 'more.ndjson', content: bytes(refuges(2, 'Brook')) };
    const actor = { id: operator.id, name: 'Olwen Operator', role: 'operator' };
    const id = await previewFile(site.deps, actor, file, { sourceName: '', isComplete: false });
    const address = `/operator/library/imports/${id}`;
    await until(async () => (await operator.open(address)).text.includes('ended on'));
    const { text } = await operator.open(address);
    expect(text).toContain('2 new services look sensitive');
    expect(text).toContain('Brook refuge 001');
  });
});
