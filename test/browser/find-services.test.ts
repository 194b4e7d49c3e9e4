import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, follow, inChromium, openWindow, phone, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

// A link worker looks for something near somebody, also on a map, saves it for the surgery and prints it.

const { site, browser } = await siteInBrowser();

describe('the search page', inChromium, () => {
  it('updates while somebody types, and so does its address', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/services');
    await page.getByLabel('What are you looking for?').fill('befriend');
    await page.getByRole('heading', { name: /services for “befriend”/ }).waitFor();
    expect(page.url()).toContain('search=befriend');
    await page.getByText(/^More filters/).click();
    await page.getByLabel(/^Saturday/).check();
    await page.getByRole('link', { name: 'Remove Open on Saturday' }).waitFor();
    await page.getByRole('link', { name: 'Remove Open on Saturday' }).click();
    await page.getByRole('link', { name: 'Remove “befriend”' }).waitFor();
    expect(page.url()).not.toContain('day=');
    expect(complaints).toEqual([]);
    await close();
  });

  it('keeps a filter ticked while another still loads', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/services?postcode=ZT1+1HW');
    await page.getByText(/^More filters/).click();
    const [answered, ticked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const answerLate = async (route: Route) => {
      const response = await route.fetch();
      answered.resolve();
      await ticked.promise;
      await route.fulfill({ response }).catch(() => undefined);
    };
    await page.route('**/services?*', answerLate, { times: 1 });
    await page.getByLabel(/^Saturday/).check();
    await answered.promise;
    await page.getByLabel(/^Sunday/).check();
    ticked.resolve();
    await page.getByRole('link', { name: 'Remove Open on Sunday' }).waitFor();
    await page.getByRole('link', { name: 'Remove Open on Saturday' }).waitFor();
    await close();
  });
});

describe('the results', inChromium, () => {
  it('begin in the first view of a phone and of a desktop', async () => {
    // Two lines of what it does: a walker could not tell services apart by half a sentence.
    for (const [width, max] of [
      [375, 900],
      [1280, 700],
    ] as const)
      for (const javaScriptEnabled of [true, false]) {
        const { page, close } = await openWindow(browser, site.baseUrl, width);
        await signIn(page, site.logins.referrer);
        const { cookies } = await page.context().storageState();
        const context = await browser.newContext({
          baseURL: site.baseUrl,
          viewport: { width, height: 900 },
          javaScriptEnabled,
        });
        await context.addCookies(cookies);
        const shown = await context.newPage();
        await shown.goto('/services?search=lonely&postcode=ZT1+1HW');
        const first = (await shown.locator('article').first().boundingBox())!;
        expect(first.y + first.height).toBeLessThanOrEqual(max);
        const field = shown.getByLabel('What are you looking for?');
        expect(await field.isVisible()).toBe(width === 1280);
        if (width === 375) await shown.getByText('Search: lonely near ZT1 1HW').click();
        expect(await field.isVisible()).toBe(true);
        await context.close();
        await close();
      }
  });

  it('have filters that are not longer than two screens', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/services?search=lonely&postcode=ZT1+1HW');
    expect((await page.locator('#filters').boundingBox())!.height).toBeLessThan(1800);
    await page.getByText(/^More filters/).click();
    await page.getByLabel(/^Saturday/).check();
    await page.getByRole('link', { name: 'Remove Open on Saturday' }).waitFor();
    expect(await page.getByLabel(/^Saturday/).isVisible()).toBe(true);
    await expectAccessible(page);
    await close();
  });
});

describe('a result', inChromium, () => {
  it('is a card that leaves room for the next ones', async () => {
    // Two lines of what it does: a walker could not tell services apart by half a sentence.
    for (const [width, max] of [
      [1280, 280],
      [375, 260],
    ] as const) {
      const { page, close } = await openWindow(browser, site.baseUrl, width);
      await signIn(page, site.logins.referrer);
      await page.goto('/services?search=lonely&postcode=ZT1+1HW');
      const cards = await page.locator('article').all();
      const heights = await Promise.all(cards.map(async (card) => (await card.boundingBox())!.height));
      expect(heights).toHaveLength(20);
      expect(Math.max(...heights)).toBeLessThanOrEqual(max);
      const facts = page
        .locator('article', { hasText: 'Good Company befriending' })
        .locator('.onward-short-facts');
      // On a phone: what to choose by; when and where exactly is on its page.
      expect(await facts.innerText()).toMatch(
        width === 375
          ? /^Waiting list about five weeks .* away.*The Weir House Trust.*Last checked [\w ]+$/s
          : /Sarrowby, ZT1 1HW.*Open /s,
      );
      await expectAccessible(page);
      await close();
    }
  });
});

describe('the comparison', inChromium, () => {
  it('has what was ticked, also before the filters changed', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/services?postcode=ZT1+1HW');
    await page.getByText('Tick two to four services to compare.').waitFor();
    await page.getByLabel('Compare Good Company befriending').check();
    await page.getByText('1 chosen. Tick another one').waitFor();
    expect(await page.getByRole('button', { name: 'Compare' }).count()).toBe(0);
    await page.getByLabel('What are you looking for?').fill('lunch');
    await page.getByRole('link', { name: 'Remove “lunch”' }).waitFor();
    await page.getByLabel('Compare The Wednesday Table lunch club').check();
    await follow(page.getByRole('button', { name: 'Compare (2)' }));
    await page.getByRole('columnheader', { name: /Good Company befriending/ }).waitFor();
    await page.getByRole('columnheader', { name: /The Wednesday Table/ }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is in reach and counted once something is ticked', async () => {
    for (const width of [1280, 375])
      for (const javaScriptEnabled of [true, false]) {
        const { page, close } = await openWindow(browser, site.baseUrl, width);
        await signIn(page, site.logins.referrer);
        const { cookies } = await page.context().storageState();
        const viewport = { width, height: 900 };
        const context = await browser.newContext({ baseURL: site.baseUrl, viewport, javaScriptEnabled });
        await context.addCookies(cookies);
        const shown = await context.newPage();
        await shown.goto('/services?postcode=ZT1+1HW');
        const bar = shown.locator('#compare');
        expect((await bar.boundingBox())!.y).toBeGreaterThan(900);
        for (const index of [0, 1]) await shown.locator('input[form=compare]').nth(index).check();
        const { y, height } = (await bar.boundingBox())!;
        expect([y + height, height <= 110]).toEqual([900, true]);
        if (javaScriptEnabled) expect(await bar.innerText()).toContain('2 chosen');
        else
          expect(
            await shown.evaluate(`getComputedStyle(document.querySelector('#results')).counterReset`),
          ).toBe('ticked 0');
        await follow(bar.getByRole('button'));
        expect(await shown.getByRole('columnheader').count()).toBe(2);
        await context.close();
        await close();
      }
  });

  it('takes four at most, says so, and keeps their ticks', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/services?postcode=ZT1+1HW');
    const boxes = page.locator('input[form=compare][name=id]');
    for (const index of [0, 1, 2, 3]) await boxes.nth(index).check();
    await page.getByText('You can compare up to four').waitFor();
    expect(await boxes.nth(4).isDisabled()).toBe(true);
    await follow(page.getByRole('button', { name: 'Compare (4)' }));
    await page.setViewportSize({ width: 375, height: 800 });
    // On a phone each question is asked once, and each service answers it after its name.
    const table = await page.locator('.onward-compare').boundingBox();
    expect(table!.height, 'four services are about three screens').toBeLessThan(2400);
    const cell = page.locator('.onward-compare tbody td').first();
    expect(await cell.getAttribute('data-heading')).not.toBe('');
    const [whole, text] = [await cell.boundingBox(), await cell.locator('.onward-compared').boundingBox()];
    expect(text!.y, 'the text is in the line of the name').toBeLessThan(whole!.y + 16);
    await follow(page.getByRole('link', { name: 'Back to results' }));
    await page.getByRole('button', { name: 'Compare (4)' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the map', inChromium, () => {
  const search = '/services?postcode=ZT1+3GH&map=true';
  const ready = '.onward-map-live .onward-pin';
  // Browsers complain when the test's own drawing without a graphics card reads a picture back.
  const ours = (complaints: string[]) => complaints.filter((each) => !each.includes('GL Driver Message'));

  it('loads its background from this site alone, and stays', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    const loaded: string[] = [];
    page.on('response', (response) =>
      loaded.push(`${response.status()} ${new URL(response.url()).pathname}`),
    );
    await page.goto('/services?postcode=ZT1+3GH');
    expect(loaded.join()).not.toMatch(/maplibre|pmtiles/);
    await page.getByRole('link', { name: 'Show a map' }).click();
    await page.locator(ready).first().waitFor();
    expect(loaded).toContain('206 /map.pmtiles');
    expect(await page.locator('#map-source').textContent()).toBe('Made-up valley of the sample data');
    await expectAccessible(page);
    await page.getByLabel('What are you looking for?').fill('lunch');
    await page.getByRole('link', { name: 'Remove “lunch”' }).waitFor();
    await page.getByRole('button', { name: '1. The Wednesday Table lunch club' }).waitFor();
    expect(await page.locator('.onward-pin').count()).toBe(1);
    expect(loaded.filter((each) => each.includes('/assets/maplibre-') && each.endsWith('.js'))).toHaveLength(
      2,
    );
    expect(ours(complaints)).toEqual([]);
    await close();
  });

  it('marks the row of a pin and the pin of a row, by keyboard', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto(search);
    await page.locator(ready).first().waitFor();
    const single = page.locator('.onward-pin:not(.onward-pin--group)').first();
    const number = await single.getAttribute('data-numbers');
    await single.focus();
    await page.locator(`.onward-marked #result-${number}`).waitFor();
    await page.keyboard.press('Enter');
    await page.locator(`#result-${number} a:focus`).waitFor();
    await page.locator(`.onward-pin.onward-marked[data-numbers~="${number}"]`).first().waitFor();

    // A group opens until each of its services has a pin, and the focus stays with it.
    const group = page.locator('.onward-pin--group').first();
    const [first] = (await group.getAttribute('data-numbers'))!.split(' ');
    const alone = page.locator(`.onward-pin:not(.onward-pin--group)[data-numbers="${first}"]`);
    await group.focus();
    await expect
      .poll(
        async () => {
          if ((await alone.count()) > 0) return true;
          await page.keyboard.press('Enter');
          return false;
        },
        { interval: 1000 },
      )
      .toBe(true);
    await page.locator(`.onward-pin:focus[data-numbers~="${first}"]`).waitFor();
    await expectAccessible(page);
    expect(ours(complaints)).toEqual([]);
    await close();
  });

  it('is beside the list on a wide window, and above it on a phone', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto(search);
    const boxes = async () => {
      const [map, first] = [page.locator('#map'), page.locator('#result-1')];
      return { map: (await map.boundingBox())!, first: (await first.boundingBox())! };
    };
    const wide = await boxes();
    expect(wide.map.x).toBeGreaterThan(wide.first.x + wide.first.width);
    await page.setViewportSize({ width: phone, height: 900 });
    const narrow = await boxes();
    expect(narrow.map.y + narrow.map.height).toBeLessThanOrEqual(narrow.first.y);
    await close();
  });

  it('is a drawing if the browser cannot draw the ground', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.referrer);
    await page.route('**/map.pmtiles', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.goto(search);
    await failed;
    await page.getByRole('img', { name: /Map of these services/ }).waitFor();
    await expectAccessible(page);
    const { cookies } = await page.context().storageState();
    const plain = await browser.newContext({ baseURL: site.baseUrl, javaScriptEnabled: false });
    await plain.addCookies(cookies);
    const without = await plain.newPage();
    await without.goto(search);
    await without.getByRole('img', { name: /Map of these services/ }).waitFor();
    await plain.close();
    await close();
  });
});

describe('a saved list and the hand-out', inChromium, () => {
  it('work and are accessible', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.referrer);
    await page.goto('/services?search=lunch&postcode=ZT1+3GH&day=WE&age=70');
    await expectAccessible(page);
    await page.goto('/services?search=lunch&age=3&day=SU');
    await page.getByText('without').first().waitFor();
    await expectAccessible(page);

    await page.goto('/services?search=lunch&postcode=ZT1+3GH');
    await follow(page.getByRole('link', { name: /^Add to a list ?: The Wednesday Table/ }));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.nhsuk-error-summary:focus').waitFor();
    await expectAccessible(page);
    const chooses = page.getByLabel('A new list');
    if ((await chooses.count()) > 0) await chooses.check();
    await page.getByLabel('List name').fill('Lunches');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Added to a list' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/services');
    await expectAccessible(page);
    await page.goto('/lists');
    await expectAccessible(page);

    await page.goto('/services?search=lunch&postcode=ZT1+3GH');
    await page.getByRole('link', { name: 'The Wednesday Table lunch club', exact: true }).click();
    await page.getByRole('button', { name: 'Print this page' }).waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel('Link to this page').inputValue()).not.toContain('ZT1');
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.nhsuk-header', '.nhsuk-footer', '.onward-banner', '#share'])
      expect(await page.locator(hidden).isVisible(), hidden).toBe(false);
    expect(await page.getByText(/Printed on/).isVisible()).toBe(true);
    const sizeOf = (part: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(part)})).fontSize`);
    expect(await sizeOf('main li .nhsuk-body-s')).toBe(await sizeOf('main p'));
    const underline = `getComputedStyle(document.querySelector('main :is(p, li) a:not(.nhsuk-button)')).textDecorationLine`;
    expect(await page.evaluate<string>(underline), 'a link in a text').toBe('underline');
    for (const printed of ['How to get in touch', 'Opening times', 'Where it is, and getting in'])
      expect(await page.getByRole('heading', { name: printed, exact: true }).isVisible(), printed).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('a provider’s list of services', inChromium, () => {
  it('asks how long people wait only where there is a waiting list', async () => {
    for (const width of [1280, phone]) {
      const { page, complaints, close } = await openWindow(browser, site.baseUrl, width);
      await signIn(page, site.logins.provider);
      await page.goto('/');
      const wait = page.getByLabel('Wait, if there is a list, at The Art Table');
      expect(await wait.isVisible()).toBe(false);
      await page.getByLabel('Availability of The Art Table').selectOption('waitlist');
      expect(await wait.isVisible()).toBe(true);
      await page.getByLabel('Availability of The Art Table').selectOption('capacity');
      expect(await wait.isVisible()).toBe(false);
      await expectAccessible(page);
      expect(complaints).toEqual([]);
      await close();
    }
  });

  it('stays in its window with one endless word', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.provider);
    await page.goto('/library');
    await follow(page.getByRole('link', { name: 'Good Company befriending', exact: true }));
    await page.getByLabel(/How long people wait/).fill('x'.repeat(200));
    await follow(page.getByRole('button', { name: 'Has a waiting list' }));
    await page.goto('/library');
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('a service whose name is one endless word', inChromium, () => {
  it('makes no page scroll sideways', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.provider);
    await page.goto('/library');
    await follow(page.getByRole('link', { name: 'Good Company befriending', exact: true }));
    const path = new URL(page.url()).pathname.replace(/\/edit$/, '');
    await page.goto(`${path}/edit`);
    await page.locator('input[name=name]').fill(`Befriending${'x'.repeat(140)}`);
    await follow(page.getByRole('button', { name: 'Save', exact: true }));
    const form = `/referrals/new?service=${path.split('/').at(-1)}`;
    for (const width of [1280, 375]) {
      const window = await openWindow(browser, site.baseUrl, width);
      await signIn(window.page, site.logins.referrer);
      for (const address of [path, '/services?search=befriending', form]) {
        await window.page.goto(address);
        const over = await window.page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([width, address, over]).toEqual([width, address, 0]);
      }
      await window.close();
    }
    await close();
  });
});
