import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than any page has links and fields: somebody who tabs this often is caught in a part of it. */
const maxTabs = 250;

/** Somebody who has no mouse: every step is a key, from where the focus is. */
export function keyboardUser(page: Page) {
  const press = (key: string) => page.keyboard.press(key);

  /** Tabs forward until one of what the locator matches has the focus, and expects to see where that is. */
  async function reach(target: Locator): Promise<void> {
    await target.first().waitFor({ state: 'attached' });
    for (let tabs = 0; tabs < maxTabs; tabs += 1) {
      if (await hasFocus(target)) return expectFocusToBeSeen(page);
      await press('Tab');
    }
    throw new Error(`${target} is not reached with ${maxTabs} presses of Tab on ${page.url()}`);
  }

  async function follow(target: Locator): Promise<void> {
    await reach(target);
    const there = page.waitForEvent('load');
    await press('Enter');
    await there;
  }

  async function type(target: Locator, text: string): Promise<void> {
    await reach(target);
    await page.keyboard.type(text);
  }

  /** Ticks a box, or chooses a radio button: Tab leads to one of the group, and the arrows to the others. */
  async function choose(target: Locator): Promise<void> {
    const name = await target.getAttribute('name');
    const isRadio = (await target.getAttribute('type')) === 'radio';
    if (!isRadio) await reach(target);
    else await reach(page.locator(`input[type=radio][name="${name}"]`));
    await press('Space');
    for (let step = 0; !(await target.isChecked()); step += 1) {
      if (step > 30) throw new Error(`${target} is not chosen with the arrows`);
      await press('ArrowDown');
    }
  }

  async function select(target: Locator, value: string): Promise<void> {
    await reach(target);
    await press('Home');
    for (let step = 0; (await target.inputValue()) !== value; step += 1) {
      if (step > 30) throw new Error(`${value} is not selected with the arrows`);
      await press('ArrowDown');
    }
  }

  return { reach, follow, type, choose, select, press };
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluateAll((found) => found.some((each) => each === each.ownerDocument.activeElement));

/** WCAG 2.4.7 and 2.4.11: what has the focus is marked, in the window, and not behind something that stays in place. */
async function expectFocusToBeSeen(page: Page): Promise<void> {
  // A note that the draft was saved may move the page at this moment.
  const look = () =>
    page.evaluate<{ isMarked: boolean; isOnTop: boolean; what: string }>(`(() => {
    const focused = document.activeElement;
    const label = focused.labels?.[0];
    const isMarked = [[focused], label ? [label, '::before'] : [focused, '::before']].some(([element, part]) => {
      const style = getComputedStyle(element, part);
      return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
    });
    const box = focused.getBoundingClientRect();
    const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]];
    const isOnTop = points.some(([x, y]) => {
      const there = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      return there !== null && (focused.contains(there) || there.contains(focused) || there === label || !!label?.contains(there));
    });
    return { isMarked, isOnTop, what: focused.outerHTML.slice(0, 200) };
  })()`);
  await expect
    .poll(look, { message: page.url(), timeout: 3000 })
    .toMatchObject({ isMarked: true, isOnTop: true });
}
