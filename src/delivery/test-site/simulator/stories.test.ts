import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { simulatorStage } from '../../../../test/delivery/simulator-stage.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { stories } from '../../model/stories.ts';

const { site, call, workOff, refer, moveOn, read, history, deliveries, told, worklist } =
  await simulatorStage();

describe('the simulator’s stories', () => {
  test('play the whole loop at once, with both letters confirmed', async () => {
    const id = await refer({ family_name: 'Completed' });
    expect(await history(id)).toEqual(['requested', 'accepted', 'in-progress', 'completed']);
    expect(await read(id)).toMatchObject({
      status: 'completed',
      simulated: true,
      outcome: { code: 'goals-met' },
    });
    expect(await told(id)).toEqual([
      'service referral: acknowledged',
      'gp_practice referral: acknowledged',
      'gp_practice outcome: acknowledged',
    ]);
    expect((await deliveries(id)).every(({ simulated }) => simulated)).toBe(true);
    const events = (await call('GET', '/api/events?limit=500')).body.items.filter((event: any) =>
      event.resource.href.includes(id),
    );
    const types = events.map((event: any) => event.type);
    for (const type of ['requested', 'accepted', 'in-progress', 'completed'])
      expect(types).toContain(`referral.${type}`);
    expect(types.filter((type: string) => type === 'delivery.acknowledged')).toHaveLength(3);
    const entries = await storedEntries(site.deps.db, { subjectId: id, action: 'referral.completed' });
    expect(entries.map(({ actor_name }) => actor_name)).toEqual(['Simulator']);
  });

  describe('the service', () => {
    const rejections = stories.filter(({ name }) => name.startsWith('Rejected-'));
    test('rejects with each reason', async () => {
      expect(rejections).toHaveLength(9);
      for (const { name } of rejections) {
        const referral = await read(await refer({ family_name: name.toLowerCase().replaceAll('-', ' ') }));
        expect(`Rejected-${referral.status_reason.code}`.toLowerCase(), name).toBe(name.toLowerCase());
        expect(referral.status).toBe('rejected');
      }
    });

    test.each([
      ['Accepted', 'accepted'],
      ['On-Hold', 'on-hold'],
      ['Failed', 'failed'],
    ])('%s ends as %s', async (family_name, status) => {
      expect((await read(await refer({ family_name }))).status).toBe(status);
    });

    test('may be named for the story of everybody who is referred to it', async () => {
      const { serviceId: eager } = await aService(site.deps, { serviceName: 'Tuesday walks (Accepted)' });
      expect((await read(await refer({ family_name: 'Example' }, eager))).status).toBe('accepted');
    });
  });

  describe('the messages', () => {
    test('are confirmed once or twice; the second time changes nothing', async () => {
      const id = await refer({ family_name: 'Duplicate-Ack' });
      expect((await told(id))[1]).toBe('gp_practice referral: acknowledged');
      const { items } = (await call('GET', '/api/simulator')).body;
      expect(items.find((each: any) => each.referral_id === id)).toMatchObject({
        story: 'Duplicate-Ack',
        done: [{ undone_because: null }, { undone_because: 'The message was acknowledged already.' }],
      });
    });

    test('bounce, have failed, and are on the worklist', async () => {
      const id = await refer({ family_name: 'Bounced' });
      expect(await told(id)).toEqual(['service referral: failed', 'gp_practice referral: failed']);
      expect(await worklist(id)).toEqual(['failed', 'failed']);
      const operator = await signedInBrowser(site, { role: 'operator' });
      const copy = (await deliveries(id)).find(({ leg }) => leg === 'gp_practice');
      const path = `/operator/deliveries/${copy.id}`;
      // Once more the same way is once more refused, and no more than once.
      await operator.send(`${path}/retry`, {});
      await workOff(id);
      const { page, text } = await operator.open(path);
      expect(text).toContain('The last try was refused for good');
      const headings = page.querySelectorAll('main h2').map((each) => each.text);
      expect(headings.slice(0, 3)).toEqual(['What was tried', 'Send another way', 'Try again']);
      expect(page.querySelectorAll('main ol li')).toHaveLength(2);
      expect(page.querySelectorAll('#channel option').map((each) => each.getAttribute('value'))).toEqual([
        '',
        'email',
        'mesh',
        'document',
      ]);
      // What has failed is not chosen already, and says so.
      expect(page.querySelector('#channel option[selected]')).toBeNull();
      const tried = page
        .querySelectorAll('#channel option')
        .filter((each) => each.text.includes('tried already'));
      expect(tried.map((each) => each.getAttribute('value'))).toEqual(['document']);
      for (const channel of ['', 'inbox'])
        expect((await operator.send(`${path}/another-way`, { channel })).status).toBe(422);
      await operator.send(`${path}/another-way`, { channel: 'document' });
      await workOff(id);
      expect(await told(id)).toEqual(['service referral: failed', 'gp_practice referral: sent']);
    });

    test('come to the wrong practice', async () => {
      const id = await refer({ family_name: 'Wrong-Practice' });
      const practice = (await deliveries(id))[1];
      expect(practice).toMatchObject({ leg: 'gp_practice', status: 'failed' });
      expect(practice.detail).toContain('is not its patient');
      expect(await worklist(id)).toEqual(['failed']);
    });

    test('are uncertain after a time-out, until they have arrived', async () => {
      const id = await refer({ family_name: 'Time-Out' });
      expect(await told(id)).toEqual(['service referral: uncertain', 'gp_practice referral: uncertain']);
      expect(await worklist(id)).toEqual(['uncertain', 'uncertain']);
      await moveOn(id, 'next');
      expect(await told(id)).toEqual(['service referral: received', 'gp_practice referral: received']);
      expect(await worklist(id)).toEqual(['uncertain, closed', 'uncertain, closed']);
    });
  });

  test('are all in the document for developers', async () => {
    const root = join(import.meta.dirname, '..', '..', '..', '..');
    const text = await readFile(join(root, 'docs', 'connecting-a-system.md'), 'utf8');
    for (const { name } of stories) expect(text).toContain(`\`${name}\``);
  });
});
