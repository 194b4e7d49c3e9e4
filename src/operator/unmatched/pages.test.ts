import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { giveUpJobs } from '../../../test/app/jobs.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { storeUnmatchedMessage } from '../../../test/delivery/unmatched-message.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import { collectUnmatched } from './collect.ts';
import { listUnmatched } from './unmatched-store.ts';

const site = await makeApp();
afterAll(site.close);
const operator = await signedInBrowser(site, { role: 'operator' });

const path = '/operator/deliveries/unmatched';
const doneForms = ({ page }: Awaited<ReturnType<typeof operator.open>>) =>
  page.querySelectorAll('form[action*="/done"]').map((form) => form.getAttribute('action')!);

describe('the page of unmatched items', () => {
  it('keeps its reader on the second page', async () => {
    for (let number = 1; number <= 30; number += 1)
      await inTransaction(site.deps.db, (trx) =>
        addKeyedJob(trx, 'poll-channels', {}, { key: `lost-${number}`, inSeconds: 9 }),
      );
    await giveUpJobs(site.deps.pool, {});
    await collectUnmatched(site.deps);
    const first = await operator.open(path);
    const next = first.page.querySelectorAll('main a').find(({ text }) => text === 'Next')!;
    const second = await operator.open(next.getAttribute('href')!);
    expect([doneForms(first).length, doneForms(second).length]).toEqual([25, 5]);
    expect(doneForms(first)).not.toEqual(expect.arrayContaining(doneForms(second)));

    const [action, ...others] = doneForms(second);
    const wrong = await operator.send(action!, { words: ' ' });
    expect(wrong.status).toBe(422);
    const link = wrong.page.querySelector('.nhsuk-error-summary a')!.getAttribute('href')!;
    expect(wrong.page.querySelector(link)).not.toBeNull();
    expect(doneForms(wrong)).toEqual(doneForms(second));

    const done = await operator.send(action!, { words: 'Meant for another site.' });
    const after = await operator.open(done.location!);
    expect(after.text).toContain('You have written down what was done');
    expect(doneForms(after)).toEqual(others);
  });
});

describe('the page of an unmatched message', () => {
  const db = site.deps.db;
  /** Stores a message, and gives the address of its page. */
  async function arrived(message: { body: string | Buffer; length?: number }) {
    const from = newId();
    await storeUnmatchedMessage(db, { id: newId(), from, ...message });
    await collectUnmatched(site.deps);
    const items = await listUnmatched(db, { open: true, after: undefined, limit: 100 });
    return `${path}/${items.find(({ what }) => what.includes(from))!.id}`;
  }

  it('is told apart from others in the list by its id and time', async () => {
    const ids = [newId(), newId()];
    for (const id of ids) await storeUnmatchedMessage(db, { id, from: 'X26SAME', body: 'Hello' });
    await collectUnmatched(site.deps);
    let text = '';
    for (let href: string | undefined = path; href; ) {
      const list = await operator.open(href);
      text += list.text;
      const next = list.page.querySelectorAll('main a').find((link) => link.text === 'Next');
      href = next?.getAttribute('href');
    }
    for (const id of ids) expect(text).toContain(`Its id at the exchange: ${id}`);
    expect(text).toMatch(/Message from X26SAME, \d+ \w+ \d{4} at/);
  });

  it('shows the whole message, however long it is', async () => {
    const address = await arrived({ body: `${'a line\n'.repeat(20_000)}and the last line` });
    const { text } = await operator.open(address);
    expect(text).toContain('and the last line');
    expect(text).not.toContain('Not complete');
  });

  it('says what is missing, and what its sender is told', async () => {
    const { text } = await operator.open(await arrived({ body: 'the beginning', length: 3_000_000 }));
    expect(text).toContain(
      'It is not complete: it has at least 3,000 kB, and this site kept the first 1 kB.',
    );
    expect(text).toContain('tells its sender after five days that nobody collected it');
  });

  it('lets only its readers resolve it, with a reason that is kept', async () => {
    const address = await arrived({ body: 'Please ring Mr Ash.' });
    const words = { words: 'Rang the sender; it was for another site.' };
    expect((await operator.send(`${address}/done`, words)).status).toBe(409);
    const opened = await operator.open(address);
    expect(opened.text).toContain('Please ring Mr Ash.');
    const colleague = await signedInBrowser(site, { role: 'operator' });
    expect((await colleague.send(`${address}/done`, words)).status).toBe(409);
    const wrong = await operator.send(`${address}/done`, { words: ' ' });
    expect([wrong.status, wrong.text.includes('Please ring Mr Ash.')]).toEqual([422, false]);
    const vague = await operator.send(`${address}/done`, { words: 'x' });
    expect([vague.status, vague.text]).toEqual([
      422,
      expect.stringContaining('Say what was done in a few words that a colleague would understand'),
    ]);
    expect((await operator.send(`${address}/done`, words)).status).toBe(303);
    const resolved = await operator.open(`${path}?show=resolved`);
    expect(resolved.text).toContain(`What was done: ${words.words}`);
    expect(resolved.text).toMatch(/Read by .+\.\s+Resolved by .+ on /);
    const entries = await storedEntries(db, { action: 'loose_end.done' });
    expect(entries.at(-1)!.details).toMatchObject({ reason: words.words });
  });

  it('wants a file saved that it cannot show', async () => {
    const address = await arrived({ body: gzipSync('Please ring Mr Ash.') });
    const words = { words: 'Meant for another site.' };
    expect((await operator.open(address)).text).toContain('It cannot be shown as text');
    expect((await operator.send(`${address}/done`, words)).status).toBe(409);
    await operator.open(`${address}/message`);
    expect((await operator.send(`${address}/done`, words)).status).toBe(303);
  });
});
