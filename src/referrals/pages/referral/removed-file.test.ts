import { describe, expect, it } from 'vitest';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';

const { site, browser, referrer, provider, aReferralPage } = await referralPagesFixture();

const name = 'Letter about Karen Smith.pdf';

async function aPageWithFile(): Promise<string> {
  const path = await aReferralPage();
  const head = `--edge\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const answer = await site.app.inject({
    method: 'POST',
    url: `${path}/attachments`,
    headers: {
      cookie: referrer.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=edge',
    },
    payload: `${head}%PDF-1.7 A letter.\r\n--edge--\r\n`,
  });
  expect(answer.statusCode).toBe(303);
  return path;
}

const removalForm = async (path: string, who: typeof referrer) =>
  (await who.open(path)).page.querySelector('form[action*="/remove"]')?.getAttribute('action');

describe('a file on the page of a referral', () => {
  it('is removed with a folded form, by its own side alone', async () => {
    const path = await aPageWithFile();
    expect(await removalForm(path, provider)).toBeUndefined();
    const form = (await removalForm(path, referrer))!;
    const unsaid = await referrer.send(form, {});
    expect([unsaid.status, unsaid.text]).toEqual([422, expect.stringContaining('Say why it is removed')]);
    const wordless = await referrer.send(form, { removal_reason: 'other', removal_text: 'x' });
    expect(wordless.page.querySelector('#removal_text')!.text.trim()).toBe('x');
    const done = await referrer.send(form, { removal_reason: 'about-somebody-else' });
    expect((await referrer.open(done.location as string)).text).toContain('The file was removed');
    for (const who of [referrer, provider]) {
      const { page, text } = await who.open(path);
      expect(text).toContain('A file was removed: attached by mistake');
      expect(text).toContain('It is about somebody else');
      expect(page.toString()).not.toContain('Karen');
      expect(await removalForm(path, who)).toBeUndefined();
    }
    expect((await referrer.send(form, { removal_reason: 'wrong-file' })).status).toBe(303);
  });

  it('is removed by an operator who opened the referral', async () => {
    const path = await aPageWithFile();
    const operator = await browser({ role: 'operator' });
    expect((await operator.open(path)).text).not.toContain(name);
    await operator.send(`${path}/open`, { reason: 'The practice rang about a letter.' });
    const form = (await removalForm(path, operator))!;
    await operator.send(form, { removal_reason: 'wrong-file', removal_text: 'It is an empty form.' });
    expect((await provider.open(path)).text).toContain('It is the wrong file: It is an empty form.');
  });
});
