import type { Caller } from '../accounts/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type AttemptFilter, type ListedAttempt, listAttempts } from './attempts-store.ts';
import { readOwnWebhook } from './own-webhook.ts';

/** What was tried for a webhook of the caller's, newest first. @throws Problem `not-found`. */
export async function listOwnAttempts(
  { db }: Platform,
  caller: Caller,
  id: string,
  { limit, ...filter }: AttemptFilter,
): Promise<{ attempts: ListedAttempt[]; more: boolean }> {
  await readOwnWebhook(db, caller, id);
  const found = await listAttempts(db, id, { ...filter, limit: limit + 1 });
  return { attempts: found.slice(0, limit), more: found.length > limit };
}
