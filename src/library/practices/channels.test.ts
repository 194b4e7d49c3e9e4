import { describe, expect, it } from 'vitest';
import { aPractice, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';

describe('the channels of a practice', () => {
  it('are set by page or API and outlive an import', async () => {
    const site = await makeApp();
    await aPractice(site.deps, 'Z99001', 'Infirmary Lane Surgery');
    await aPractice(site.deps, 'Z99002', 'Weir Street Practice');
    const operator = await signedInBrowser(site, { role: 'operator' });
    const list = await operator.open('/operator/practices?search=weir');
    expect(list.page.querySelectorAll('tbody a').map(({ text }) => text)).toEqual(['Weir Street Practice']);
    const path = '/operator/practices/Z99002';
    expect((await operator.send(path, { channel_1: '' })).status).toBe(422);
    const byEmail = { channel_1: 'email', channel_2: 'document' };
    const nowhere = await operator.send(path, byEmail);
    expect([nowhere.status, nowhere.text]).toEqual([422, expect.stringContaining('Enter the email address')]);
    expect((await operator.send(path, { ...byEmail, email: 'letters@weir.example.org' })).status).toBe(303);
    await aPractice(site.deps, 'Z99002', 'Weir Street Surgery');
    const { page } = await operator.open(path);
    expect(page.querySelectorAll('option[selected]').map((each) => each.getAttribute('value'))).toEqual([
      'email',
      'document',
    ]);
    expect((await operator.open('/operator/practices/nothing')).status).toBe(404);
    const byMesh = { channel_1: 'mesh', channel_2: 'email', email: 'letters@weir.example.org' };
    const refused = await operator.send(path, { ...byMesh, mesh: 'a mailbox' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Enter a mailbox such as')]);
    expect((await operator.send(path, { ...byMesh, mesh: 'Z99002GP' })).status).toBe(303);
    const mailbox = (await operator.open(path)).page.querySelector('input[name=mesh]');
    expect(mailbox?.getAttribute('value')).toBe('Z99002GP');

    const put = async (role: 'operator' | 'referrer', url: string, payload: object) => {
      const { headers } = await aTokenHolder(site.deps, { role });
      return (await site.app.inject({ method: 'PUT', url, headers, payload })).statusCode;
    };
    const url = '/api/practices/z99001/channels';
    expect(await put('operator', url, { channels: ['document', 'email'] })).toBe(200);
    expect(await put('operator', url, { channels: ['mesh'], addresses: { mesh: 'Z99001GP' } })).toBe(200);
    expect(await put('operator', url, { channels: ['mesh'], addresses: { mesh: 'z99001gp' } })).toBe(422);
    expect(await put('operator', url, { channels: ['pigeon'] })).toBe(400);
    expect(await put('operator', url, { channels: [] })).toBe(400);
    // Nobody at a practice could open an inbox here, or fetch the letter that a webhook names.
    for (const channel of ['inbox', 'webhook']) {
      expect(page.querySelectorAll(`option[value=${channel}]`)).toEqual([]);
      expect((await operator.send(path, { channel_1: channel })).status).toBe(422);
      expect(await put('operator', url, { channels: [channel] })).toBe(400);
    }
    expect(await put('referrer', url, { channels: ['email'] })).toBe(403);
    expect(await put('operator', '/api/practices/Z00000/channels', { channels: ['email'] })).toBe(404);
    const audit = await operator.open('/operator/audit?action=practice.channels_changed');
    expect(audit.text).toContain('Z99001');
    await site.close();
  });
});
