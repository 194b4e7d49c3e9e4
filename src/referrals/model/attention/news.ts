import type { Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { addJobs } from '../../../platform/jobs/index.ts';
import { insertNews, type News } from './news-store.ts';

export type NewNews = Omit<News, 'id'>;

/** Long enough for somebody who writes three messages, and short enough that an email leaves within a minute. */
const collectSeconds = 15;

/** Notes news, and the job that tells them. */
export async function addNews(trx: Trx, news: readonly NewNews[]): Promise<void> {
  if (news.length === 0) return;
  await insertNews(
    trx,
    news.map((each) => ({ ...each, id: newId(each.at.getTime()) })),
  );
  await addJobs(trx, 'tell-news', [{}], { inSeconds: collectSeconds });
}
