import { describe, expect, it } from 'vitest';
import { markSensitive } from '../../test/library/stored.ts';
import { rowInWords } from '../../test/people/row-in-words.ts';
import { recordsFixture } from '../../test/records/fixture.ts';

// An operator had to know whose record it was to find out that it was still on hold, years after the inquest.

const { site, place, operator, browser, referrerBrowser, post, why, makeReferral } = await recordsFixture();
const path = '/operator/patients/blocked';
const rows = async () => (await browser.open(path)).page.querySelectorAll('tbody tr').map(rowInWords);

describe('the list of records on legal hold or restricted', () => {
  it('has each with since when, by whom and why, until lifted', async () => {
    expect((await browser.open(path)).text).toContain('No record is on legal hold or restricted');
    const [held, restricted] = [await makeReferral(), await makeReferral()];
    await post(operator, `/${held.id}/legal-hold`, { reason: 'The coroner asked for it.' });
    site.clock.moveOn(1000);
    await post(operator, `/${restricted.id}/restrict`, why);
    const [first, second] = await rows();
    expect(first).toMatch(
      new RegExp(`${held.reference}.*On legal hold.*21 Nov .*By \\w+ .*The coroner asked for it`),
    );
    expect(second).toMatch(new RegExp(`${restricted.reference}.*Restricted.*${why.reason}`));
    expect((await browser.open('/operator/patients')).page.querySelector(`a[href="${path}"]`)).not.toBeNull();
    await post(operator, `/${held.id}/lift-legal-hold`, why);
    expect(await rows()).toHaveLength(1);
  });

  it('names neither the person nor a sensitive service', async () => {
    await markSensitive(site.deps.db, place.serviceId);
    const { text } = await browser.open(path);
    expect(text).not.toContain('Example');
    expect(text).not.toContain(place.serviceName);
    expect(text).toContain('A restricted service');
  });

  it('is for operators alone', async () => {
    expect((await referrerBrowser.open(path)).status).toBe(403);
  });
});
