import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

const path = '/operator/library/synonyms';
let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  const services = [
    { id: 'debt', name: 'Debt advice', status: 'active', description: 'For people who owe money.' },
    { id: 'walk', name: 'Walking group', status: 'active', description: 'Along the river.' },
  ];
  await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(services))]));
  operator = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
});
afterAll(() => site.close());

async function found(search: string): Promise<string[]> {
  const answer = await site.app.inject(`/api/library/services?search=${encodeURIComponent(search)}`);
  return answer.json().contents.map(({ id }: { id: string }) => id);
}

async function auditOf(saying: string) {
  const entries = await storedEntries(site.deps.db, { subjectId: saying });
  return entries.map((entry) => ({
    action: entry.action,
    who: entry.actor_name,
    meanings: entry.details.meanings,
  }));
}

describe('words that an operator adds', () => {
  it('find services at once, in any form, until they are removed', async () => {
    expect(await found('brolly whackers')).toEqual([]);
    const added = await operator.send(path, { saying: ' Brolly  WHACKER’s ', meanings: 'Walking, debt' });
    expect(added.location).toBe(`${path}?done=added&text=brolly%20whackers`);
    const listed = await operator.open(added.location!);
    expect(listed.text).toContain('The words were added.');
    expect(listed.text).toMatch(/debt, walking[\s\S]*by Olive Operator/);
    expect((await found('a brolly whacker')).sort()).toEqual(['debt', 'walk']);
    expect((await found('broly whacker')).sort(), 'misspelt').toEqual(['debt', 'walk']);

    const link = listed.page.querySelector('a[href*=remove]')!.getAttribute('href')!;
    const boxes = (await operator.open(link)).page.querySelectorAll('input[checked]');
    expect(boxes.map((box) => box.getAttribute('value'))).toEqual(['debt', 'walking']);
    const one = await operator.send(`${path}/remove`, { saying: 'brolly whackers', meanings: 'debt' });
    expect(one.location).toBe(`${path}?done=removed`);
    expect(await found('brolly whackers')).toEqual(['walk']);
    const none = await operator.send(`${path}/remove`, { saying: 'brolly whackers' });
    expect(none.location, 'nothing ticked').toBe(path);
    await operator.send(`${path}/remove`, { saying: 'brolly whackers', meanings: 'walking' });
    expect(await found('brolly whackers')).toEqual([]);
    expect((await operator.open(link)).location, 'a link left open').toBe(path);
    expect(await auditOf('brolly whackers')).toEqual([
      { action: 'search_synonym.added', who: 'Olive Operator', meanings: ['debt', 'walking'] },
      { action: 'search_synonym.removed', who: 'Olive Operator', meanings: ['debt'] },
      { action: 'search_synonym.removed', who: 'Olive Operator', meanings: ['walking'] },
    ]);
  });

  it('are refused when they are in the list already', async () => {
    const { page, text } = await operator.send(path, { saying: 'Skint', meanings: 'debt' });
    expect(text).toMatch(/“skint” means so far: .*debt/);
    const link = page.querySelector('a[href$="#list"]')!.getAttribute('href')!;
    const row = (await operator.open(link)).page.querySelector('tbody tr')!;
    expect(row.structuredText).toContain('skint');
    expect(row.querySelector('a[href*=remove]')).not.toBeNull();
    const unknown = await operator.send(path, { saying: 'wibble', meanings: 'with the' });
    expect(unknown.text).not.toContain('means so far');
  });

  it('are listed in pages, and found by either side', async () => {
    const first = await operator.open(path);
    const next = first.page.querySelector('a[rel=next]')!.getAttribute('href')!;
    expect(first.text).toMatch(/1 to 25 of [\d,]{3,}/);
    const second = await operator.open(next.replace('#list', ''));
    expect(second.text).toContain('26 to 50 of');
    expect(second.page.querySelector('a[rel=prev]')).not.toBeNull();
    const debt = await operator.open(`${path}?text=Debt`);
    expect(debt.text).toContain('skint');
    expect(debt.text).not.toContain('ramble');
    for (const broken of ['?text=%00', '?page=0', '/remove?saying=%00'])
      expect((await operator.open(path + broken)).status).toBe(400);
  });

  it('are only for operators', async () => {
    const referrer = await signedInBrowser(site, { role: 'referrer' });
    expect((await referrer.open(path)).status).toBe(403);
    expect((await referrer.send(path, { saying: 'brassic', meanings: 'debt' })).status).toBe(403);
  });

  it.each([
    [{ saying: '?!', meanings: 'debt' }, 'Enter what people say'],
    [{ saying: 'somewhere', meanings: 'debt' }, 'says too little'],
    [{ saying: 'one two three four five six', meanings: 'debt' }, '5 words or fewer'],
    [{ saying: 'brassic', meanings: ' , ' }, 'Enter what services call it'],
    [{ saying: 'brassic', meanings: 'with the' }, 'a word that says something'],
    [{ saying: 'brassic', meanings: 'x'.repeat(101) }, '100 characters or fewer'],
    [{ saying: 'debt', meanings: 'Debt' }, 'cannot mean itself'],
    [{ saying: 'skint', meanings: 'debt' }, 'in the list already'],
  ])('are shown again with what is wrong with them: %j', async (sent, message) => {
    const answer = await operator.send(path, sent);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(message);
    expect(answer.page.querySelector('.nhsuk-error-summary')).not.toBeNull();
  });
});
