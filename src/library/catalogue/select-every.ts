import type { Selection } from '../search/list-query.ts';
import type { Catalogue } from './catalogue.ts';
import { nearestServices } from './nearest.ts';
import type { Selected } from './selected.ts';
import { spotOf } from './spot.ts';
import type { Window } from './window-of.ts';

/** Where every service is wanted, nothing needs to be looked through for a page of them by name or by distance. */
export function selectEveryService(catalogue: Catalogue, { sort, place }: Selection): Selected | undefined {
  const { byName, isLive, live } = catalogue;
  if (sort === 'responsiveness') return undefined;
  return {
    total: live,
    items: () => [...byName.ordinals.subarray(0, byName.length)].filter((each) => isLive.of[each] === 1),
    async window(window) {
      if (sort === 'distance' && place) return nearestServices(catalogue, spotOf(place), window);
      return inNameOrder(catalogue, window);
    },
  };
}

function inNameOrder({ byName, isLive }: Catalogue, { offset, limit }: Window): number[] {
  const page: number[] = [];
  let passed = 0;
  for (let at = 0; at < byName.length && page.length < limit; at += 1) {
    const ordinal = byName.ordinals[at]!;
    if (isLive.of[ordinal] !== 1) continue;
    if (passed >= offset) page.push(ordinal);
    passed += 1;
  }
  return page;
}
