import { Problem } from '../../../platform/problem/index.ts';
import { serviceSchema } from '../../hsds/service.ts';
import { feedUnreadable } from '../../problems.ts';
import { idOf } from '../collect-ids.ts';
import type { FeedClient } from './feed-client.ts';

/** What a service in full has lists of. A feed's own record of changes is in no list of services. */
const lists = Object.entries(serviceSchema.properties)
  .filter(([name, schema]) => 'items' in schema && name !== 'metadata')
  .map(([name]) => name);

/**
 * Makes entries of a list whole. Many feeds do not know `full=true` and list services in short, which by the published
 * schema has no lists. So an entry with one shows that this feed's list is whole; where none has, each is asked for by
 * itself until one of them shows what the list left out.
 */
export function detailReader(client: FeedClient) {
  let listsAreShort: boolean | undefined;
  const byId = async (id: string): Promise<unknown> => {
    const service = await client(`/services/${encodeURIComponent(id)}`);
    if (idOf(service) === id) return service;
    throw new Problem(feedUnreadable, 'The feed gives another service than the one it is asked for.');
  };
  const hasLists = (service: unknown) => lists.some((name) => name in (service as object));
  const detail = async (entry: unknown): Promise<unknown> => {
    const id = idOf(entry);
    if (id === undefined) return entry;
    if (listsAreShort === undefined && hasLists(entry)) listsAreShort = false;
    if (listsAreShort === false) return entry;
    const whole = await byId(id);
    if (hasLists(whole)) listsAreShort = true;
    return whole;
  };
  return Object.assign(detail, { byId });
}
