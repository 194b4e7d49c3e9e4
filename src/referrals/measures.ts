import type { FieldError } from '../platform/problem/index.ts';

/**
 * The measures that social prescribing records before and after: the four personal wellbeing questions of the Office for
 * National Statistics, the short Warwick-Edinburgh scale (its raw or its metric score), and the Patient Activation
 * Measure, of which the licence allows the level alone to be passed on.
 */
export const measures = {
  'ons4-life-satisfaction': { title: 'Life satisfaction (ONS4)', least: 0, most: 10 },
  'ons4-worthwhile': { title: 'Life is worthwhile (ONS4)', least: 0, most: 10 },
  'ons4-happiness': { title: 'Happiness yesterday (ONS4)', least: 0, most: 10 },
  'ons4-anxiety': { title: 'Anxiety yesterday (ONS4)', least: 0, most: 10 },
  swemwbs: { title: 'Mental wellbeing (SWEMWBS)', least: 7, most: 35, decimals: true },
  'pam-level': { title: 'Activation level (PAM)', least: 1, most: 4 },
} as const satisfies Record<string, { title: string; least: number; most: number; decimals?: true }>;

export type MeasureCode = keyof typeof measures;
export const measureCodes = Object.keys(measures) as MeasureCode[];

export const stages = ['start', 'end'] as const;

export type Measure = { code: MeasureCode; stage: (typeof stages)[number]; value: number };

/** What the schema cannot see: each measure has its own range, and is given once a stage. */
export function measureErrors(given: readonly Measure[]): FieldError[] {
  return given.flatMap(({ code, stage, value }, place) => {
    const at = `/outcome/measures/${place}`;
    const { least, most, ...more } = measures[code];
    const earlier = given.slice(0, place).some((each) => each.code === code && each.stage === stage);
    if (earlier) return [{ pointer: `${at}/code`, message: 'is given twice for this stage' }];
    const whole = 'decimals' in more || Number.isInteger(value);
    if (whole && value >= least && value <= most) return [];
    const kind = 'decimals' in more ? 'a number' : 'a whole number';
    return [{ pointer: `${at}/value`, message: `must be ${kind} from ${least} to ${most}` }];
  });
}
