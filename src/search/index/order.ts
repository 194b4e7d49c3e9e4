export type Window = { limit: number; offset: number };

/** Takes the matches of a search one by one, and keeps the wanted page. */
export type Page = {
  /** The largest key that an item of the page can have. */
  maxKey: number;
  add(item: number, key: number): void;
  items(): number[];
};

/** Orders two items with the same key, by name. Less than 0 if the first comes before the second. */
type Compare = (one: number, other: number) => number;

/** A page whose items are taken in its own order. */
export function pageInOrder({ offset, limit }: Window): Page {
  const items: number[] = [];
  let passed = 0;
  const page: Page = {
    maxKey: Infinity,
    add(item) {
      if (passed >= offset && items.length < limit) items.push(item);
      passed += 1;
      if (passed >= offset + limit) page.maxKey = -Infinity;
    },
    items: () => items,
  };
  return page;
}

/** The first items are kept in order up to this number. For a later page, all items are collected, and the page is cut out of them. */
const maxKept = 1000;

/** The items with the smallest keys. */
export function pageByKey(window: Window, compare: Compare): Page {
  return window.offset + window.limit <= maxKept ? firstByKey(window, compare) : deepByKey(window, compare);
}

function firstByKey({ offset, limit }: Window, compare: Compare): Page {
  const best: { item: number; key: number }[] = [];
  const max = offset + limit;
  const page: Page = {
    maxKey: max > 0 ? Infinity : -Infinity,
    add(item, key) {
      if (key > page.maxKey) return;
      let [low, high] = [0, best.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        const other = best[middle]!;
        if (key < other.key || (key === other.key && compare(item, other.item) < 0)) high = middle;
        else low = middle + 1;
      }
      if (low === max) return;
      best.splice(low, 0, { item, key });
      if (best.length > max) best.pop();
      if (best.length === max) page.maxKey = best[max - 1]!.key;
    },
    items: () => best.slice(offset).map(({ item }) => item),
  };
  return page;
}

/** Only items between the page's first and last key are compared by name, not hundreds of thousands. */
function deepByKey({ offset, limit }: Window, compare: Compare): Page {
  const items: number[] = [];
  const keys: number[] = [];
  return {
    maxKey: Infinity,
    add(item, key) {
      items.push(item);
      keys.push(key);
    },
    items() {
      const end = Math.min(offset + limit, items.length);
      if (offset >= end) return [];
      const sorted = Float64Array.from(keys).sort();
      const [first, last] = [sorted[offset]!, sorted[end - 1]!];
      const between = items
        .map((item, index) => ({ item, key: keys[index]! }))
        .filter(({ key }) => key >= first && key <= last);
      // Two infinite keys cannot be subtracted.
      between.sort((one, other) =>
        one.key === other.key ? compare(one.item, other.item) : one.key < other.key ? -1 : 1,
      );
      const before = sorted.indexOf(first);
      return between.slice(offset - before, end - before).map(({ item }) => item);
    },
  };
}
