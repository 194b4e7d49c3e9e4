import { describe, expect, it } from 'vitest';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { maxSavedViews } from '../../listing/worklist/saved-views.ts';

const { place, browser, provider, aReferralPage } = await referralPagesFixture();
const ofService = { libraryOrganizationId: place.organizationId, name: place.organizationName };
const colleague = await browser({ role: 'provider', organisation: ofService });

type Who = typeof provider;
const urgent = 'view=received&tab=unanswered&urgent=yes';

async function links(who: Who, page = '/referrals'): Promise<[string, string][]> {
  const found = (await who.open(page)).page.querySelectorAll('[aria-label="Saved views"] a');
  return found.map((link) => [link.text, link.getAttribute('href')!.replaceAll('&amp;', '&')]);
}

/** The path of the only view’s forms. */
async function viewPath(who: Who): Promise<string> {
  const { page } = await who.open('/referrals/views');
  return page.querySelector('form[action$="/rename"]')!.getAttribute('action')!.replace('/rename', '');
}

describe('a saved view', () => {
  it('keeps tab, filters and order under a name, for one person', async () => {
    await aReferralPage({ urgency: 'urgent' });
    const { page } = await provider.open(`/referrals?${urgent}&sort=-made`);
    const query = page.querySelector('.onward-save-view [name=query]')!.getAttribute('value')!;
    const sent = await provider.send('/referrals/views', {
      name: '  Urgent   & <b>new</b> ',
      query: query.replaceAll('&amp;', '&'),
    });
    const saved = await provider.open(sent.location);
    expect(saved.text).toContain('The view was saved');
    expect(saved.page.querySelector('.onward-save-view')).toBeNull();
    const [link] = await links(provider);
    expect(link).toEqual([
      'Urgent & <b>new</b>',
      '/referrals?view=received&tab=unanswered&sort=-made&urgent=yes',
    ]);
    const home = await provider.open('/');
    expect(home.text).toMatch(/Your saved views\s+1 Urgent & <b>new<\/b>/);
    expect(await links(colleague)).toEqual([]);
    expect((await provider.open('/referrals/views')).text).toContain(
      'Referrals to your services: new, urgent, newest',
    );
  });

  it('is renamed and deleted by its owner alone', async () => {
    const path = await viewPath(provider);
    const stranger = await colleague.send(`${path}/rename`, { name: 'Mine now' });
    expect(stranger.status).toBe(404);
    await colleague.send(`${path}/delete`, {});
    await provider.send(`${path}/rename`, { name: 'First thing' });
    expect((await links(provider)).map(([name]) => name)).toEqual(['First thing', 'Change saved views']);
    await provider.send(`${path}/delete`, {});
    await provider.send(`${path}/delete`, {});
    expect(await links(provider)).toEqual([]);
  });

  it('needs a short name of its own', async () => {
    const save = (name: string) => provider.send('/referrals/views', { name, query: urgent });
    const refusal = async (name: string) => {
      const { status, page } = await save(name);
      return [status, page.querySelector('.nhsuk-error-summary a')?.text.trim()];
    };
    expect(await refusal(' \u200b ')).toEqual([422, 'Enter a name for this view']);
    expect(await refusal('x'.repeat(41))).toEqual([422, 'Use 40 characters or fewer']);
    await save('Urgent');
    expect((await refusal('URGENT'))[1]).toContain('You have a view with this name');
    await save('Second');
    const path = await viewPath(provider);
    const renamed = await provider.send(`${path}/rename`, { name: 'urgent' });
    expect(renamed.page.querySelector('input[aria-describedby]')?.getAttribute('value')).toBe('urgent');
    for (let number = 3; number <= maxSavedViews; number++) await save(`View ${number}`);
    expect((await refusal('One more'))[1]).toContain(`You have ${maxSavedViews} saved views`);
  });

  it('is left out where its list is not the reader’s', async () => {
    await colleague.send('/referrals/views', {
      name: 'Nothing',
      query: 'view=made&tab=nonsense&urgent=maybe',
    });
    expect((await links(colleague)).map(([, href]) => href)).toEqual([
      '/referrals?view=received',
      '/referrals/views',
    ]);
  });
});

describe('a manager', () => {
  it('has no worklist', async () => {
    const manager = await browser({ role: 'manager', organisation: { name: 'Moor Council' } });
    for (const path of ['/referrals', '/referrals.csv', '/referrals/views'])
      expect((await manager.open(path)).status, path).toBe(403);
  });
});
