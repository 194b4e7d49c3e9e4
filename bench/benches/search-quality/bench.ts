import { dirname, join } from 'node:path';
import type { SiteProcess } from '../../../test/process/site-process.ts';
import { england, missingData } from '../../lib/england.ts';
import { runCommand } from '../../lib/run-command.ts';
import { startBenchSite } from '../../lib/site.ts';
import {
  askQuestions,
  hitsAt,
  meanReciprocalRank,
  type QualityFloor,
  type Question,
  qualityFloors,
  questionSets,
} from './questions.ts';

/**
 * How well the search answers what link workers ask, on a real site. First with the sample library, then with England's
 * and Herefordshire's alone. The bench fails if a set does worse than its floor.
 */
export async function benchSearchQuality(): Promise<void> {
  const site = await startBenchSite({ ONWARD_LIBRARY_PUBLIC: 'true' });
  try {
    await ask(site, 'sample, 60 tuned', questionSets.sample, qualityFloors.sample);
    await ask(site, 'sample, 30 held out', questionSets.heldOut, qualityFloors.heldOut);
    await ask(site, 'sample, reported', questionSets.reported, qualityFloors.reported);
  } finally {
    await site.remove();
  }
  const missing = missingData();
  if (missing) return console.log(`search-quality, England: needs ${missing}`);
  const filled = await startBenchSite({ ONWARD_LIBRARY_PUBLIC: 'true', ONWARD_SAMPLE: 'false' });
  try {
    await runCommand(filled.env, 1, ['postcodes', 'import', england.postcodes]);
    await runCommand(filled.env, 1, ['library', 'import', england.services]);
    const herefordshire = join(dirname(england.services), 'library-herefordshire.ndjson');
    await runCommand(filled.env, 1, ['library', 'import', herefordshire]);
    await ask(filled, 'England, 60', questionSets.england, qualityFloors.england);
  } finally {
    await filled.remove();
  }
}

async function ask(
  site: SiteProcess,
  name: string,
  questions: readonly Question[],
  floor: QualityFloor,
): Promise<void> {
  const results = await askQuestions(questions, async ({ question, postcode, day }, limit) => {
    const answer = await fetch(`${site.baseUrl}/api/library/services/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        search: question,
        ...(postcode && { postcode }),
        ...(day && { day: [day] }),
        per_page: limit,
      }),
    });
    if (!answer.ok) throw new Error(`“${question}” was answered with ${answer.status}`);
    const { contents } = (await answer.json()) as { contents: { id: string; name: string }[] };
    return contents;
  });
  for (const { question, rank, found } of results) {
    if (rank !== undefined && rank <= 3) continue;
    const first = found.slice(0, 3).map((each) => each.name);
    console.log(
      `search-quality: “${question.question}” has its answer at ${rank ?? 'none of 10'}; first ${first.join(' · ') || 'nothing'}`,
    );
  }
  const mrr = meanReciprocalRank(results);
  const [at3, at10] = [hitsAt(results, 3), hitsAt(results, 10)];
  console.log(
    `search-quality, ${name}: hits@3 ${at3} (at least ${floor.hitsAt3}), ` +
      `hits@10 ${at10} (${floor.hitsAt10}), MRR ${mrr.toFixed(3)} (${floor.meanReciprocalRank})`,
  );
  if (at3 < floor.hitsAt3 || at10 < floor.hitsAt10 || mrr < floor.meanReciprocalRank) process.exitCode = 1;
}
