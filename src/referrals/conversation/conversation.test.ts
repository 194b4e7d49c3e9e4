import { describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { storedReferrals } from '../../../test/referrals/stored.ts';

// What both sides add to a referral, and operators who open it.

const { site, referrer, colleague, provider, operator, stranger, get, post, later, makeReferral } =
  await referralLifeFixture();

describe('messages', () => {
  it('reach both sides, and a new one does not shift the pages', async () => {
    const { id, version } = await makeReferral();
    for (const [who, text] of [
      [referrer, 'She is shy.'],
      [provider, 'Would a morning do?'],
      [referrer, 'Yes.'],
    ] as const) {
      expect((await post(who, `/${id}/messages`, { text })).status).toBe(201);
      site.clock.moveOn(1);
    }
    const first = (await get(provider, `/${id}/messages?limit=2`)).body;
    expect(first.items.map((each: any) => [each.side, each.text])).toEqual([
      ['referrer', 'Yes.'],
      ['provider', 'Would a morning do?'],
    ]);
    await post(provider, `/${id}/messages`, { text: 'See you then.' });
    const second = (await get(colleague, `/${id}/messages?limit=2&cursor=${first.next_cursor}`)).body;
    expect([second.items.map((each: { text: string }) => each.text), second.next_cursor]).toEqual([
      ['She is shy.'],
      null,
    ]);
    expect((await get(referrer, `/${id}`)).body.version).toBe(version);
    const [stored] = await storedReferrals(site.deps.db, [id]);
    expect(stored!.events.filter((type) => type === 'message.created')).toHaveLength(4);
    expect((await get(stranger, `/${id}/messages`)).status).toBe(404);
    expect((await post(stranger, `/${id}/messages`, { text: 'Hello.' })).status).toBe(404);
    expect((await post(operator, `/${id}/messages`, { text: 'Hello.' })).status).toBe(403);
    expect((await post(referrer, `/${id}/messages`, { text: ' ' })).status).toBe(400);
  });
});

describe('a file', () => {
  const pdf = Buffer.from('%PDF-1.7 a letter');
  const attach = (who: Holder, id: string, content: Buffer, name = 'letter.pdf', field = 'file') => {
    const edge = 'onward-test';
    const head = `--${edge}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: text/html\r\n\r\n`;
    return site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/attachments`,
      headers: { ...who.headers, 'content-type': `multipart/form-data; boundary=${edge}` },
      payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${edge}--\r\n`)]),
    });
  };

  it('is of the kind its first bytes say, and always a download', async () => {
    const { id } = await makeReferral();
    const answer = await attach(referrer, id, pdf, '../../Mårten.html');
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ media_type: 'application/pdf', size: pdf.length });
    const listed = (await get(provider, `/${id}/attachments`)).body.items;
    expect(listed.map((each: { name: string }) => each.name)).toEqual([answer.json().name]);
    expect(listed[0].name).toBe('Mårten.pdf');
    const [stored] = await storedReferrals(site.deps.db, [id]);
    expect(stored!.events.filter((type) => type === 'attachment.created')).toHaveLength(1);
    const file = await get(provider, `/${id}/attachments/${answer.json().id}`);
    expect(file.answer.rawPayload).toEqual(pdf);
    expect(file.answer.headers['content-type']).toBe('application/pdf');
    expect(file.answer.headers['content-disposition']).toMatch(/^attachment; /);
    expect(file.answer.headers['x-content-type-options']).toBe('nosniff');
    for (const path of [`/${id}/attachments/${answer.json().id}`, `/${id}/attachments`])
      expect((await get(stranger, path)).status).toBe(404);
    expect((await get(operator, `/${id}/attachments`)).status).toBe(403);
    const other = await makeReferral();
    expect((await get(provider, `/${other.id}/attachments/${answer.json().id}`)).status).toBe(404);
  });

  it('is refused if of another kind, too large or one too many', async () => {
    const { id } = await makeReferral();
    expect((await attach(referrer, id, Buffer.from('<html>'), 'letter.pdf')).statusCode).toBe(422);
    expect((await attach(referrer, id, Buffer.alloc(0))).statusCode).toBe(422);
    const large = Buffer.concat([pdf, Buffer.alloc(10 * 1024 * 1024)]);
    expect((await attach(referrer, id, large)).statusCode).toBe(413);
    expect((await attach(stranger, id, pdf)).statusCode).toBe(404);
    const json = await post(referrer, `/${id}/attachments`, {});
    expect([json.status, json.body.detail]).toEqual([415, expect.stringContaining('multipart/form-data')]);
    const pointers = (await attach(referrer, id, pdf, 'a.pdf', 'scan'))
      .json()
      .errors.map((each: { pointer: string }) => each.pointer);
    expect(pointers).toEqual(['/file', '/scan']);
    const empty = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/attachments`,
      headers: { ...referrer.headers, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x--\r\n',
    });
    expect(empty.statusCode).toBe(400);
    const many = await Promise.all(Array.from({ length: 22 }, () => attach(referrer, id, pdf)));
    expect(many.filter((each) => each.statusCode === 201)).toHaveLength(20);
    expect(many.filter((each) => each.statusCode === 413)).toHaveLength(2);
  });
});

describe('an opening', () => {
  it('lasts an hour, has a reason, and is shown to the referrer', async () => {
    const { id } = await makeReferral({ what_matters: 'To sing.' });
    await post(referrer, `/${id}/messages`, { text: 'A private word.' });
    expect((await get(operator, `/${id}`)).body.patient).toBeUndefined();
    expect((await post(operator, `/${id}/open`)).status).toBe(400);
    expect((await post(provider, `/${id}/open`, { reason: 'Why not.' })).status).toBe(403);
    const why = { reason: 'The service cannot read the address.' };
    expect((await post(operator, `/${id}/open`, why)).body.what_matters).toBe('To sing.');
    expect((await get(operator, `/${id}`)).body.what_matters).toBe('To sing.');
    expect((await get(operator, `/${id}/messages`)).body.items).toHaveLength(1);
    const other = await aTokenHolder(site.deps, { role: 'operator' });
    expect((await get(other, `/${id}`)).body.patient).toBeUndefined();
    const listed = await get(operator, '?limit=200');
    expect(JSON.stringify(listed.body)).not.toContain('To sing.');

    const seen = (await get(colleague, `/${id}/openings`)).body.items;
    expect(seen).toMatchObject([{ by: { name: 'Olga Operator' }, ...why }]);
    expect((await get(provider, `/${id}/openings`)).status).toBe(403);
    await later(61 * 60_000);
    expect((await get(operator, `/${id}`)).body.patient).toBeUndefined();
    expect((await get(operator, `/${id}/messages`)).status).toBe(403);
  });
});
