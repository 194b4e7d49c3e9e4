import { aKeyHolder } from '../key-holder.ts';
import { startBenchSite } from '../site.ts';
import { askQuestions, questionSets } from './questions.ts';

/**
 * How many of the link workers' questions the search answers among its first five, on a real site with the sample
 * library. To reach: 54 of 60 (issue 4).
 */
export async function benchSearchQuality(): Promise<void> {
  const site = await startBenchSite();
  try {
    const { access } = await aKeyHolder(site);
    const search = async (question: string, limit: number) => {
      const query = new URLSearchParams({ search: question, per_page: String(limit) });
      const answer = await fetch(`${site.baseUrl}/api/library/services?${query}`, {
        headers: { authorization: `Bearer ${access}` },
      });
      if (!answer.ok) throw new Error(`“${question}” was answered with ${answer.status}`);
      const { contents } = (await answer.json()) as { contents: { id: string; name: string }[] };
      return contents;
    };
    const tuned = await askQuestions(questionSets.questions, search);
    const heldOut = await askQuestions(questionSets.heldOut, search);
    for (const { question, wanted, found } of [...tuned.missed, ...heldOut.missed]) {
      console.log(`search-quality: “${question}” wants ${wanted.join(' or ')}; found ${found.join(', ')}`);
    }
    console.log(
      `search-quality: ${tuned.answered} of ${questionSets.questions.length} answered in the first five (to reach: 54), ` +
        `and ${heldOut.answered} of ${questionSets.heldOut.length} that nothing was tuned to`,
    );
  } finally {
    await site.remove();
  }
}
