import type { FieldError } from '../../platform/problem/index.ts';

/**
 * The measures that social prescribing records before and after: the four personal wellbeing questions of the
 * Office for National Statistics (ONS4), the short Warwick-Edinburgh scale (raw or metric score), and the Patient
 * Activation Measure, whose licence allows us to pass on only the level.
 */
export const measures = {
  'ons4-life-satisfaction': { title: 'Life satisfaction (ONS4)', min: 0, max: 10 },
  'ons4-worthwhile': { title: 'Life is worthwhile (ONS4)', min: 0, max: 10 },
  'ons4-happiness': { title: 'Happiness yesterday (ONS4)', min: 0, max: 10 },
  'ons4-anxiety': { title: 'Anxiety yesterday (ONS4)', min: 0, max: 10 },
  swemwbs: { title: 'Mental wellbeing (SWEMWBS)', min: 7, max: 35, decimals: true },
  'pam-level': { title: 'Activation level (PAM)', min: 1, max: 4 },
} as const satisfies Record<string, { title: string; min: number; max: number; decimals?: true }>;

export type MeasureCode = keyof typeof measures;
export const measureCodes = Object.keys(measures) as MeasureCode[];

export const stages = ['start', 'end'] as const;

export type Measure = { code: MeasureCode; stage: (typeof stages)[number]; value: number };

/** Checks what the schema cannot: each measure has its own range, and occurs at most once for each stage. */
export function measureErrors(given: readonly Measure[]): FieldError[] {
  return given.flatMap(({ code, stage, value }, index) => {
    const pointer = `/outcome/measures/${index}`;
    const { min, max, ...more } = measures[code];
    const isRepeated = given.slice(0, index).some((each) => each.code === code && each.stage === stage);
    if (isRepeated) return [{ pointer: `${pointer}/code`, message: 'is given twice for this stage' }];
    const isAllowedNumber = 'decimals' in more || Number.isInteger(value);
    if (isAllowedNumber && value >= min && value <= max) return [];
    const kind = 'decimals' in more ? 'a number' : 'a whole number';
    return [{ pointer: `${pointer}/value`, message: `must be ${kind} from ${min} to ${max}` }];
  });
}
