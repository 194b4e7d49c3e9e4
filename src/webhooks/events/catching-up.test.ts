import { describe, expect, it } from 'vitest';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { deleteOldEvents } from './delete-old-events.ts';

const { site, referrer, provider, operator, call, get, post, later, makeReferral, reason } =
  await referralLifeFixture();

const pages = async (who: Holder, path: string): Promise<any[]> => {
  const items: any[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: any = (await get(who, `${path}${cursor && `&cursor=${cursor}`}`)).body;
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
};

/** A client system that keeps a copy of its referrals, and follows “Reading everything once more” of the guide to the letter. */
function aClient(who: Holder) {
  const copies = new Map<string, { referral: any; messages: string[]; files: string[] }>();
  return {
    copies,
    async readOnceMore() {
      for (const referral of await pages(who, '?limit=2')) {
        const copy = copies.get(referral.id);
        copies.set(referral.id, { messages: [], files: [], ...copy, referral });
        if (referral.restricted || referral.erased_at !== null) {
          copies.set(referral.id, { referral, messages: [], files: [] });
          continue;
        }
        if (copy?.referral.updated_at === referral.updated_at) continue;
        const messages = (await pages(who, `/${referral.id}/messages?limit=2`)).map(({ id }) => id);
        const files = (await pages(who, `/${referral.id}/attachments?limit=2`)).map(({ id }) => id);
        copies.set(referral.id, { referral, messages, files });
      }
    },
    /** Reads everything, by its id, as somebody would who has no copy. */
    async readAnew() {
      const read = new Map<string, { referral: any; messages: string[]; files: string[] }>();
      for (const { id } of await pages(who, '?limit=50')) {
        const referral = (await get(who, `/${id}`)).body;
        const idsOf = async (what: string) =>
          ((await get(who, `/${id}/${what}`)).body.items ?? []).map((each: { id: string }) => each.id);
        read.set(id, { referral, messages: await idsOf('messages'), files: await idsOf('attachments') });
      }
      return read;
    },
  };
}

const events = async (query: string) => {
  const answer = await site.app.inject({ url: `/api/events${query}`, headers: referrer.headers });
  return { status: answer.statusCode, ...answer.json() };
};

const attach = (who: Holder, id: string) =>
  site.app.inject({
    method: 'POST',
    url: `/api/referrals/${id}/attachments`,
    headers: { ...who.headers, 'content-type': 'multipart/form-data; boundary=x' },
    payload:
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 a\r\n--x--\r\n',
  });

describe('reading everything once more', () => {
  it('loses nothing of a month in which a client was away', async () => {
    const client = aClient(referrer);
    const made = [];
    for (let count = 0; count < 6; count += 1) made.push(await makeReferral());
    const [answered, told, filed, restricted, erased] = made.map(({ id }) => id);
    await post(provider, `/${erased}/reject`, reason, 1);
    await client.readOnceMore();
    expect(client.copies).toEqual(await client.readAnew());
    const { latest_id: last } = await events('?limit=1');

    await later(60_000);
    await post(provider, `/${answered}/accept`, {}, 1);
    await post(provider, `/${told}/messages`, { text: 'Would a morning do?' });
    await attach(provider, filed!);
    await post(operator, `/${restricted}/restrict`, { reason: 'The person asked for it in writing.' });
    const toldOf = { who_was_told: 'The duty manager', when: site.clock.now().toISOString() };
    const why = { reason: 'The person asked for it in writing.', ground: 'objection', told: toldOf };
    await post(operator, `/${erased}/erase`, why);
    const added = await makeReferral();
    await post(provider, `/${added.id}/messages`, { text: 'Welcome.' });
    await later(31 * 24 * 3_600_000);
    await deleteOldEvents(site.deps.db, site.clock.now());
    const gone = await events(`?after=${last}`);
    expect([gone.status, gone.code]).toEqual([410, 'events-gone']);

    await client.readOnceMore();
    const truth = await client.readAnew();
    expect(client.copies).toEqual(truth);
    expect(truth.get(told!)!.messages).toHaveLength(1);
    expect(truth.get(filed!)!.files).toHaveLength(1);
    expect([restricted, erased].map((id) => 'patient' in truth.get(id!)!.referral)).toEqual([false, false]);
    expect(truth.size).toBe(7);
  });

  it('begins, with a code of its own, if the event is unknown', async () => {
    const unknown = '01ffffff-0000-7000-8000-000000000000';
    expect(await events(`?after=${unknown}`)).toMatchObject({ status: 400, code: 'unknown-event' });
    expect(await events('?after=no-id')).toMatchObject({ status: 400, code: 'bad-request' });
  });
});

describe('a client of one type of event', () => {
  it('goes on from latest_id, and misses none', async () => {
    const { latest_id: start } = await events('?limit=1');
    let after = start;
    const seen: string[] = [];
    const readOn = async () => {
      const page = await events(`?type=referral.accepted&limit=2${after ? `&after=${after}` : ''}`);
      seen.push(...page.items.map((event: any) => event.resource.referral_id));
      after = page.next_cursor ?? page.latest_id;
      return page.next_cursor;
    };
    const accepted: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { id } = await makeReferral();
      await call(provider, 'POST', `/${id}/accept`, { body: {}, version: 1 });
      accepted.push(id);
      await makeReferral();
      if (count % 2 === 0) while ((await readOn()) !== null);
    }
    while ((await readOn()) !== null);
    expect(seen).toEqual(accepted);
    const { latest_id } = await events('?limit=1');
    expect(after).toBe(latest_id);
  });
});
