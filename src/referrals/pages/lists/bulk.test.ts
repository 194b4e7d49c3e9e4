import { type HTMLElement, parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';

const { site, place, browser, referrer, provider, aReferralPage } = await referralPagesFixture();
const ofService = { libraryOrganizationId: place.organizationId, name: place.organizationName };
const colleague = await browser({ role: 'provider', name: 'Dana Colleague', organisation: ofService });

type Who = typeof provider;
const list = '/referrals?view=received&sort=made';
const selectedPath = list.replace('/referrals', '/referrals/selected');

/** What the tick of each of these referrals sends, as the list is now. */
async function ticks(who: Who, paths: readonly string[], from = list): Promise<string[]> {
  const { page } = await who.open(from);
  const values = page.querySelectorAll('[name=referral]').map((each) => each.getAttribute('value')!);
  return paths.map((path) => values.find((value) => value.startsWith(path.split('/').at(-1)!))!);
}

/** Sends the form of the list, in which one field comes many times. */
async function sendTicks(
  who: Who,
  referral: readonly string[],
  more: Record<string, string>,
  to = selectedPath,
) {
  const headers = {
    cookie: who.cookie,
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  };
  const form = new URLSearchParams(more);
  for (const each of referral) form.append('referral', each);
  const payload = String(form);
  const { statusCode, body } = await site.app.inject({ method: 'POST', url: to, headers, payload });
  const text = body.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
  return { status: statusCode, text, needsReader: needsReaderOf(parse(body)) };
}

/** How many referrals need the reader, as the menu says. */
function needsReaderOf(page: HTMLElement): number {
  return Number.parseInt(page.querySelector('.onward-badge')?.text ?? '0', 10);
}

function idOfDana(page: HTMLElement): string {
  const options = page.querySelectorAll('#owner option');
  return options.find(({ text }) => text === 'Dana Colleague')!.getAttribute('value')!;
}

const accept = (who: Who, selected: readonly string[]) => sendTicks(who, selected, { action: 'accept' });

async function statusOf(path: string): Promise<string> {
  return (await provider.open(path)).page.querySelector('.nhsuk-tag')!.text;
}

describe('the list after something was done with its rows', () => {
  it('still has the words that somebody searched for', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    const answer = await sendTicks(provider, await ticks(provider, [path]), {
      action: 'accept',
      words: 'nobody-has-this-name',
    });
    expect(answer.text).toContain('1 accepted.');
    expect(answer.text).toContain('that begins with “nobody-has-this-name”');
  });

  it('shows its last page if the page asked for is empty', async () => {
    await aReferralPage();
    const { text } = await provider.open(`${list}&page=9`);
    expect(text).toMatch(/1 to \d+ of \d+/);
  });

  it('counts in each tab what the filters leave, and keeps them', async () => {
    await aReferralPage({ urgency: 'urgent' });
    const tabs = (await provider.open(`${list}&urgent=yes`)).page.querySelectorAll('.onward-tab');
    const shown = (await provider.open(`${list}&urgent=yes`)).page.querySelectorAll('tbody tr');
    expect(tabs[0]!.querySelector('.onward-tab__count')!.text).toBe(String(shown.length));
    for (const tab of tabs) expect(tab.getAttribute('href')).toContain('urgent=yes');
    const all = (await provider.open(list)).page.querySelectorAll('.onward-tab');
    expect(Number(all[0]!.querySelector('.onward-tab__count')!.text)).toBeGreaterThan(shown.length);
  });
});

describe('accepting several referrals', () => {
  it('leaves fewer that need the reader, in the menu too', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    const before = needsReaderOf((await provider.open(list)).page);
    const { needsReader } = await accept(provider, await ticks(provider, [path]));
    expect(needsReader).toBe(before - 1);
  });

  it('accepts opened ones, and says why it leaves the others', async () => {
    const [opened, unopened, withNote, atRisk] = [
      await aReferralPage(),
      await aReferralPage(),
      await aReferralPage({ safety_notes: 'A dog at home.' }),
      await aReferralPage({ reasons: 'She says that she wants to kill herself.' }),
    ] as const;
    for (const path of [opened, withNote, atRisk]) await provider.open(path);
    const answer = await accept(provider, await ticks(provider, [opened, unopened, withNote, atRisk]));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('1 accepted, 3 not.');
    expect(answer.text.match(/: open it first, as you have not read it as it is now/g)).toHaveLength(1);
    expect(answer.text.match(/: open it and accept it there/g)).toHaveLength(2);
    expect(answer.text).toContain('Next step: contact each person');
    expect(await statusOf(opened)).toBe('Accepted');
    for (const path of [unopened, withNote, atRisk])
      expect(await statusOf(path)).toBe('Opened, not answered');
  });

  it('leaves one whose message tells of a danger, even if read', async () => {
    const paths = [await aReferralPage(), await aReferralPage()] as const;
    const texts = ['Her husband checks her phone.', 'She says that she wants to die.'];
    for (const [index, path] of paths.entries()) {
      await referrer.send(`${path}/messages`, { text: texts[index]! });
      await provider.open(path);
    }
    const answer = await accept(provider, await ticks(provider, paths));
    expect(answer.text).toContain('0 accepted, 2 not.');
    expect(answer.text.match(/: open it and accept it there/g)).toHaveLength(2);
    const { page } = await provider.open(list);
    const crisis = page.querySelectorAll('tbody tr').find((row) => row.innerHTML.includes(paths[1]))!;
    expect(crisis.text).toContain('Risk');
  });

  it('lets all be ticked to assign, and says which to open first', async () => {
    const [opened, unopened, withNote] = [
      await aReferralPage(),
      await aReferralPage(),
      await aReferralPage({ safety_notes: 'A dog at home.' }),
    ] as const;
    for (const path of [opened, withNote]) await provider.open(path);
    const toAnswer = `${list}&tab=unanswered`;
    const ticked = await ticks(provider, [opened, unopened, withNote], toAnswer);
    expect(ticked).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    const { page } = await provider.open(toAnswer);
    const rowOf = (path: string) =>
      page.querySelectorAll('tbody tr').find((row) => row.innerHTML.includes(path))!;
    const box = rowOf(unopened).querySelector('.onward-select label')!;
    expect(box.querySelector('input')!.hasAttribute('disabled')).toBe(false);
    expect(box.text).toContain('To accept it, open it first');
    expect(rowOf(withNote).text).toContain('it has a safety note or tells of a danger');
    const answer = await sendTicks(
      provider,
      ticked,
      { action: 'assign', owner: idOfDana(page) },
      toAnswer.replace('/referrals', '/referrals/selected'),
    );
    expect(answer.text).toContain('3 assigned to Dana Colleague.');
  });

  it('is offered in each tab with a new one; says what it leaves', async () => {
    const [fresh, answered] = [await aReferralPage(), await aReferralPage()] as const;
    for (const path of [fresh, answered]) await provider.open(path);
    await accept(provider, await ticks(provider, [answered]));
    const needsAction = `${list}&tab=waiting`;
    for (const url of [needsAction, list])
      expect((await provider.open(url)).text, url).toContain('Accept selected');
    expect((await provider.open(`${list}&tab=under-way`)).text).not.toContain('Accept selected');
    const answer = await sendTicks(
      provider,
      await ticks(provider, [fresh, answered]),
      { action: 'accept' },
      needsAction.replace('/referrals', '/referrals/selected'),
    );
    expect(answer.text).toContain('1 accepted, 1 not.');
    expect(answer.text).toContain(': it is not waiting for an answer');
    expect(await statusOf(fresh)).toBe('Accepted');
  });

  it('leaves one that was opened, changed or written to since', async () => {
    const [colleagues, corrected, written] = [
      await aReferralPage(),
      await aReferralPage(),
      await aReferralPage(),
    ] as const;
    await colleague.open(colleagues);
    await provider.open(corrected);
    await provider.open(written);
    await referrer.send(`${written}/messages`, { text: 'Please wait: she may not want this.' });
    const seen = await ticks(provider, [colleagues, corrected, written]);
    await colleague.open(corrected);
    await colleague.send(`${corrected}/accept`, { version: '2' });
    const answer = await accept(provider, seen);
    expect(answer.text).toContain('0 accepted, 3 not.');
    expect(answer.text).toContain('you have not read it as it is now');
    expect(answer.text).toContain('somebody has changed it since you opened this list');
    expect(answer.text).toContain('a message that you have not read');
  });

  it('does so once, when the form is sent twice', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    const selected = await ticks(provider, [path]);
    const answers = await Promise.all([accept(provider, selected), accept(provider, selected)]);
    expect(answers.map(({ text }) => text.includes('1 accepted.')).toSorted()).toEqual([false, true]);
    expect(await statusOf(path)).toBe('Accepted');
  });

  it('is for the receiving side, and for what its list shows', async () => {
    const path = await aReferralPage();
    const nonsense = await accept(provider, ['', 'x y z', `${path.split('/').at(-1)} 1e9`]);
    expect([nonsense.status, nonsense.text.includes('Select at least one referral')]).toEqual([422, true]);
    const { organizationId, organizationName } = await aService(site.deps, {
      serviceName: 'Baking together',
    });
    const other = await browser({
      role: 'provider',
      organisation: { name: organizationName, libraryOrganizationId: organizationId },
    });
    const strange = await accept(other, [`${path.split('/').at(-1)} 1`]);
    expect(strange.text).toContain('One referral: you can no longer see it');
    expect((await referrer.open('/referrals?view=made')).text).not.toContain('Accept selected');
    const operator = await browser({ role: 'operator' });
    expect((await operator.open('/referrals?view=all')).page.querySelector('[name=referral]')).toBeNull();
  });
});

describe('assigning several referrals', () => {
  it('gives them to a colleague, unless assigned meanwhile', async () => {
    const [first, second] = [await aReferralPage(), await aReferralPage()] as const;
    const selected = await ticks(provider, [first, second]);
    const { page } = await provider.open(list);
    const dana = idOfDana(page);
    await sendTicks(colleague, await ticks(colleague, [second]), { action: 'assign', owner: dana });
    const nobody = await sendTicks(provider, selected, { action: 'assign', owner: '' });
    expect([nobody.status, nobody.text.includes('Choose a colleague')]).toEqual([422, true]);
    const { text } = await sendTicks(provider, selected, { action: 'assign', owner: dana });
    expect(text).toContain('2 assigned to Dana Colleague.');
    const back = await sendTicks(provider, selected, { action: 'assign', owner: 'nobody' });
    expect(back.text).toContain('0 assigned to nobody, 2 not.');
    expect((await provider.open(first)).text).toContain('Assigned to: Dana Colleague');
  });
});

describe('the ticks of a list', () => {
  it('are not offered for what has ended with nothing more to do', async () => {
    const [declined, waiting] = [await aReferralPage(), await aReferralPage()] as const;
    const { page: form } = await provider.open(`${declined}/reject`);
    const version = form.querySelector('[name=version]')!.getAttribute('value')!;
    await provider.send(`${declined}/reject`, { version, reason_code: 'no-capacity' });
    expect(await statusOf(declined)).toBe('Declined');
    expect(await ticks(provider, [declined, waiting])).toEqual([undefined, expect.any(String)]);
    const ended = await provider.open(`${list}&tab=ended`);
    expect(ended.text).not.toContain('Select several');
    // The referrer finds another service, and may have a colleague do so.
    expect(await ticks(referrer, [declined], '/referrals?view=made')).toEqual([expect.any(String)]);
  });

  it('can all be set without JavaScript, and stay after a refusal', async () => {
    await aReferralPage();
    const boxes = async (url: string) => {
      const { page } = await provider.open(url);
      const all = page.querySelectorAll('[name=referral]');
      return [all.length > 0, all.length - all.filter((box) => box.hasAttribute('checked')).length];
    };
    expect(await boxes(`${list}&select=all`)).toEqual([true, 0]);
    const { page } = await provider.open(list);
    expect(page.querySelector('#selected a')!.getAttribute('href')).toContain('select=all#selected');
    expect((await provider.open(selectedPath)).location).toBe(list);
  });
});
