import { measures } from '../../referrals/index.ts';

type LowBand = {
  code: keyof typeof measures;
  /** The last value of the band, counted from the worst end. */
  low: number;
  lower_is_better: boolean;
  /** Who published the cut-off. */
  source: string;
};

const ons =
  'Office for National Statistics, personal wellbeing: thresholds of low scores, and of high ones for anxiety';
const campaign =
  'Office for National Statistics, Measuring loneliness: guidance for use of the national indicators (2018)';
const survey =
  'Community Life Survey of the Department for Culture, Media and Sport: 8 and 9 are chronic loneliness';
const warwick =
  'University of Warwick, WEMWBS: how to score and interpret (2020), the band of probable depression';

/**
 * The cut-offs of “low” that were published, with their sources. MYCaW has none, and so is not here. The bands of ONS4 are those of
 * ons.gov.uk (low 0 to 4, high anxiety 6 to 10). For UCLA-3 studies of ageing call 6 to 9 lonely; the survey's narrower band is the one that
 * national figures use.
 */
export const lowBands: readonly LowBand[] = (
  [
    ['ons4-life-satisfaction', ons],
    ['ons4-worthwhile', ons],
    ['ons4-happiness', ons],
    ['ons4-anxiety', ons],
    ['ucla-3', survey],
    ['loneliness-direct', campaign],
    ['swemwbs', warwick],
    ['wemwbs', warwick],
    ['pam-level', 'Insignia Health, Patient Activation Measure: level 1'],
  ] as const
).map(([code, source]) => {
  const scale = measures[code];
  return { code, low: scale.worstBand, lower_is_better: 'lowerIsBetter' in scale, source };
});
