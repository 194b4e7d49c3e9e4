import type { Db } from '../../platform/database/index.ts';
import type { Dated } from '../send-answer.ts';
import { findMetadata, withMetadata } from '../write/changes-store.ts';
import { findDatedService } from './document-store.ts';

/** The service in full, with what is said of it here and who changed it last, and when it was changed here. */
export async function readService(db: Db, id: string): Promise<Dated | undefined> {
  const found = await findDatedService(db, id);
  if (!found) return undefined;
  return { ...found, content: withMetadata(found.content, await findMetadata(db, id)) };
}
