import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { storedEntries } from '../../../test/audit/stored.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { storedFile, storedNews, storedReferrals } from '../../../test/referrals/stored.ts';

const { site, referrer, colleague, provider, operator, stranger, get, post, makeReferral } =
  await referralLifeFixture();

const secret = 'Letter about Karen Smith';
const aboutSomebodyElse = { reason: { code: 'about-somebody-else', text: 'A letter for another patient.' } };

async function attach(who: Holder, referralId: string, size = 0, headers: Record<string, string> = {}) {
  const head = `--edge\r\ncontent-disposition: form-data; name="file"; filename="${secret}.pdf"\r\n\r\n`;
  const answer = await site.app.inject({
    method: 'POST',
    url: `/api/referrals/${referralId}/attachments`,
    headers: { ...who.headers, ...headers, 'content-type': 'multipart/form-data; boundary=edge' },
    payload: `${head}%PDF-1.7 ${'x'.repeat(size)}\r\n--edge--\r\n`,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}

async function aFileOf(who: Holder) {
  const { id } = await makeReferral();
  const { id: file } = await attach(who, id);
  const path = `/${id}/attachments/${file}`;
  return {
    id,
    file,
    path,
    remove: (by: Holder, why: object = aboutSomebodyElse) => post(by, `${path}/remove`, why),
  };
}

const messagesOf = async (id: string) => (await get(referrer, `/${id}/messages`)).body.items;

describe('a file attached by mistake', () => {
  it.each([
    { what: 'the referrer', author: referrer, other: provider },
    { what: 'the service', author: provider, other: referrer },
  ])('is removed by $what, with its name and content', async ({ author, other }) => {
    const { id, file, path, remove } = await aFileOf(author);
    const { status, body } = await remove(author);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ name: 'A file that was removed', removed: aboutSomebodyElse });
    for (const who of [author, other]) {
      expect((await get(who, path)).status).toBe(404);
      const listed = (await get(who, `/${id}/attachments`)).body.items;
      expect(listed).toEqual([body]);
    }
    expect(await storedFile(site.deps.db, file)).toEqual({ name: body.name, content: null });
    const [line] = (await get(other, `/${id}/history`)).body.items.filter(
      ({ kind }: { kind: string }) => kind === 'file-removed',
    );
    expect(JSON.stringify(line.changes)).not.toContain('Karen');
    const [entry] = await storedEntries(site.deps.db, { action: 'referral.file_removed', subjectId: id });
    expect(entry!.details).toEqual({ attachment: file, reason: 'about-somebody-else' });
    const [stored] = await storedReferrals(site.deps.db, [id]);
    expect(stored!.events.filter((type) => type.startsWith('attachment.')).toSorted()).toEqual([
      'attachment.created',
      'attachment.removed',
    ]);
    expect(await messagesOf(id)).toEqual([]);
  });

  it('is removed by a colleague, and an operator with a reason', async () => {
    const ofColleague = await aFileOf(referrer);
    expect((await ofColleague.remove(colleague)).status).toBe(200);
    const { id, remove } = await aFileOf(provider);
    expect((await remove(operator)).status).toBe(403);
    await post(operator, `/${id}/open`, { reason: 'The service request us to remove a letter.' });
    expect((await remove(operator)).body.removed.by.name).toBe('Olga Operator');
  });

  it('is not removed by the other side, nor without words', async () => {
    const { path, remove } = await aFileOf(referrer);
    expect((await remove(provider)).status).toBe(403);
    expect((await remove(stranger)).status).toBe(404);
    expect((await remove(referrer, { reason: { code: 'other' } })).status).toBe(422);
    expect((await remove(referrer, { reason: { code: 'because' } })).status).toBe(400);
    expect((await get(provider, path)).status).toBe(200);
  });

  it('is removed once, also by two colleagues at the same moment', async () => {
    const { id, remove } = await aFileOf(referrer);
    const answers = await Promise.all([remove(referrer), remove(colleague), remove(referrer)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const [stored] = await storedReferrals(site.deps.db, [id]);
    expect(stored!.audit.filter((action) => action === 'referral.file_removed')).toHaveLength(1);
    expect(stored!.events.filter((type) => type === 'attachment.removed')).toHaveLength(1);
  });

  it('asks those who opened it to delete their copies', async () => {
    const { id, path, remove } = await aFileOf(referrer);
    expect((await get(provider, path)).status).toBe(200);
    await remove(colleague);
    const [message] = await messagesOf(id);
    expect(message).toMatchObject({ side: 'referrer', text: expect.stringContaining('Delete your copies') });
    expect(await storedNews(site.deps.db, id)).toContain('message');
    const own = await aFileOf(referrer);
    expect((await get(colleague, own.path)).status).toBe(200);
    await own.remove(referrer);
    expect(await messagesOf(own.id)).toEqual([]);
  });

  it('breaks off a download that is under way', async () => {
    const { id } = await makeReferral();
    const { id: file } = await attach(referrer, id, 4 * 1024 * 1024);
    const url = `/api/referrals/${id}/attachments/${file}`;
    const answer = await site.app.inject({ url, headers: provider.headers, payloadAsStream: true });
    await post(referrer, `/${id}/attachments/${file}/remove`, aboutSomebodyElse);
    await expect(buffer(answer.stream())).rejects.toThrow();
    expect(await messagesOf(id)).toHaveLength(1);
  });

  it('does not come back, nor its name, if the upload is repeated', async () => {
    const { id } = await makeReferral();
    const key = { 'idempotency-key': 'upload-1' };
    const { id: file } = await attach(referrer, id, 0, key);
    await post(referrer, `/${id}/attachments/${file}/remove`, aboutSomebodyElse);
    expect(await attach(referrer, id, 0, key)).toMatchObject({ id: file, name: 'A file that was removed' });
    expect((await get(referrer, `/${id}/attachments`)).body.items).toHaveLength(1);
  });

  it('makes room for another', async () => {
    const { id } = await makeReferral();
    const files = [];
    for (let count = 0; count < 20; count += 1) files.push((await attach(referrer, id)).id);
    await post(referrer, `/${id}/attachments/${files[7]}/remove`, aboutSomebodyElse);
    await attach(referrer, id);
  });

  it('is removed from a draft, which tells nobody', async () => {
    const { id } = await makeReferral({ status: 'draft' });
    const { id: file } = await attach(referrer, id);
    expect((await post(referrer, `/${id}/attachments/${file}/remove`, aboutSomebodyElse)).status).toBe(200);
    const [stored] = await storedReferrals(site.deps.db, [id]);
    expect(stored!.events).toEqual([]);
  });

  it('is beyond reach while restricted, and after erasure', async () => {
    const { id, remove } = await aFileOf(referrer);
    const why = { reason: 'The person request for it, by letter.' };
    await post(referrer, `/${id}/cancel`, { status_reason: { code: 'other', text: 'No longer needed.' } }, 1);
    expect((await post(operator, `/${id}/restrict`, why)).status).toBe(200);
    expect((await remove(referrer)).body.type).toContain('referral-restricted');
    await post(operator, `/${id}/unrestrict`, why);
    const told = { who_was_told: 'The duty manager', when: site.clock.now().toISOString() };
    const erased = await post(operator, `/${id}/erase`, { ...why, ground: 'not-needed', told });
    expect(erased.status, JSON.stringify(erased.body)).toBe(200);
    expect((await remove(referrer)).body.type).toContain('referral-erased');
  });

  it('stays for operators while a legal hold lasts', async () => {
    const { id, file, path, remove } = await aFileOf(referrer);
    const why = { reason: 'The coroner request for the record.' };
    await post(operator, `/${id}/legal-hold`, why);
    expect((await remove(referrer)).body.name).toBe('A file that was removed');
    for (const who of [referrer, provider]) expect((await get(who, path)).status).toBe(404);
    expect((await get(operator, path)).status).toBe(403);
    await post(operator, `/${id}/open`, why);
    expect((await get(operator, path)).body).toContain('%PDF');
    await post(operator, `/${id}/lift-legal-hold`, why);
    expect((await get(operator, path)).status).toBe(404);
    expect(await storedFile(site.deps.db, file)).toEqual({ name: 'A file that was removed', content: null });
  });
});
