import { measures } from '../../referrals/index.ts';

type PoorBand = {
  code: keyof typeof measures;
  /** The last value of the band, counted from the worst end. */
  low: number;
  lower_is_better: boolean;
  /** Who published the cut-off. */
  source: string;
};

const ons =
  'Office for National Statistics, personal wellbeing: thresholds of low scores, and of high ones for anxiety';
const indicators =
  'Office for National Statistics, Measuring loneliness: guidance for use of the national indicators (2018)';
const steptoe = 'Steptoe and others, PNAS (2013), and the Campaign to End Loneliness: 6 and above is lonely';
const norms =
  'Ng Fat and others, Quality of Life Research (2017): the lowest 15 % of adults in England, metric scores';
const warwick =
  'University of Warwick, Collect, score, analyse and interpret WEMWBS: the band of probable depression';

/**
 * The published cut-offs of poor scores: low ones, or high ones for anxiety and loneliness. docs/measures.md has more about them. MYCaW has
 * none, and so is not here.
 */
export const poorBands: readonly PoorBand[] = (
  [
    ['ons4-life-satisfaction', 4, ons],
    ['ons4-worthwhile', 4, ons],
    ['ons4-happiness', 4, ons],
    ['ons4-anxiety', 6, ons],
    ['ucla-3', 6, steptoe],
    ['loneliness-direct', 1, indicators],
    ['swemwbs', 19.5, norms],
    ['wemwbs', 40, warwick],
    ['pam-level', 1, 'Insignia Health, Patient Activation Measure: level 1'],
  ] as const
).map(([code, low, source]) => ({ code, low, lower_is_better: 'lowerIsBetter' in measures[code], source }));
