import type { Db } from '../../platform/database/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { findPractice, type KnownPractice } from './practices-store.ts';

/** The GP practice with this code. @throws Problem `not-found`. */
export async function requirePractice(db: Db, odsCode: string): Promise<KnownPractice> {
  const practice = await findPractice(db, odsCode);
  if (!practice) throw new Problem(notFound, 'This site knows no practice with this code.');
  return practice;
}
