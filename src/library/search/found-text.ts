import type { Db } from '../../platform/database/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { matchBroad } from '../catalogue/match-broad.ts';
import { matchText } from '../catalogue/match-text.ts';
import type { Found } from '../catalogue/selected.ts';
import { worthForAges } from '../catalogue/suits-ages.ts';
import { saidAges } from './said-ages.ts';
import { type IdeasQuery, type TextQuery, worthOfName, worthOfShortName } from './text-query.ts';
import { listSigned } from './text-store.ts';

/** The services that have what was searched for, and how well. */
export async function foundText(
  db: Db,
  catalogue: Catalogue,
  text: TextQuery,
  version: number,
): Promise<Found> {
  if ('ideas' in text) return foundIdeas(catalogue, text);
  const rows = await listSigned(db, version, text.web);
  const known = rows.flatMap(({ id, rank }) => {
    const ordinal = catalogue.ordinalOf(id);
    return ordinal === undefined ? [] : [{ ordinal, rank }];
  });
  return {
    ordinals: known.map(({ ordinal }) => ordinal),
    ranks: Float64Array.from(known, ({ rank }) => rank),
  };
}

/**
 * The rarer the word, the more; and title above other names above description above terms. Of the ways to say an idea
 * the best one counts. Where so many have the words that these tell nothing, only how a name begins counts.
 */
function foundIdeas(catalogue: Catalogue, text: IdeasQuery): Found {
  const { typed, isBroad, ideas } = text;
  if (isBroad) return { bits: matchBroad(catalogue, ideas), typed };
  const { ordinals, scores } = matchText(catalogue, text);
  const { names } = catalogue;
  const ages = saidAges(typed);
  const worth = ages && worthForAges(catalogue, ages);
  const ranks = new Float64Array(scores.length);
  for (let index = 0; index < ranks.length; index += 1) {
    ranks[index] = scores[index]! * (1 + worthOfShortName) + worthOfName.beginning;
  }
  return {
    ordinals,
    ranks,
    rankAt(index) {
      const ordinal = ordinals[index]!;
      const name = names[ordinal]!;
      const filled = Math.min(1, typed.length / Math.max(1, name.length));
      const rank = scores[index]! * (1 + worthOfShortName * filled) + nameBonus(name, typed);
      return worth ? rank * worth(ordinal) : rank;
    },
  };
}

function nameBonus(name: string, typed: string): number {
  if (name.startsWith(typed)) return worthOfName.beginning;
  return name.includes(typed) ? worthOfName.inside : 0;
}
