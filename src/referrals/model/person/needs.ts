import { type Need, needs } from '../../../library/index.ts';

export { type Need, needs };

export const needCodes = Object.keys(needs) as Need[];

export function sdohCategory(code: Need): string | undefined {
  const need = needs[code];
  return 'sdohcc' in need ? need.sdohcc : undefined;
}

/** Needs that put the person in danger where somebody at home reads of them. */
export const dangerousNeeds: readonly Need[] = ['intimate-partner-violence', 'elder-abuse'];

export function needsInWords(codes: readonly Need[] | undefined): string[] {
  return (codes ?? []).map((code) => needs[code].title);
}

/** The tick boxes of the pages, group by group. */
export const needGroups = [...new Set(needCodes.map((code) => needs[code].group))].map((legend) => ({
  legend,
  items: needCodes
    .filter((code) => needs[code].group === legend)
    .map((value) => ({ value, text: needs[value].title })),
}));

export const goalResults = ['achieved', 'partly', 'not'] as const;

/** What the person wants to change, and whether they have; without a result, nobody has said yet. */
export type Goal = { text: string; need?: Need; result?: (typeof goalResults)[number] };

export const goalResultWords: Readonly<Record<(typeof goalResults)[number], string>> = {
  achieved: 'Met',
  partly: 'Partly met',
  not: 'Not met',
};

export const goalResultItems = goalResults.map((value) => ({ value, text: goalResultWords[value] }));
