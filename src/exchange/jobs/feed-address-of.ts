import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { openFeedAddress } from '../feeds/feed-address.ts';
import { findSealedAddress, type ImportJob } from './job-store.ts';

/**
 * The whole address of the feed that an import reads: its name leaves out what may be secret.
 * @throws Problem if the address is gone. By its name alone the feed might give fewer services, and the rest would become inactive.
 */
export async function feedAddressOf(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  { id, name }: ImportJob,
): Promise<string> {
  if (!name.includes('?')) return name;
  const sealed = await findSealedAddress(db, id);
  const address = sealed && openFeedAddress(secrets, name, sealed);
  if (address !== undefined) return address;
  throw new Problem(unprocessable, 'The address of its feed is no longer stored: preview the feed again.');
}
