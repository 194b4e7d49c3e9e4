import type { Db } from '../../src/platform/database/index.ts';

// What the database holds of people's own pages.

export function storedPersonPages(db: Db, referralId: string) {
  return db.selectFrom('person_pages').selectAll().where('referral_id', '=', referralId).execute();
}

export function storedPersonAnswers(db: Db, referralId: string) {
  return db.selectFrom('person_answers').selectAll().where('referral_id', '=', referralId).execute();
}
