import { dayMs, minuteMs } from '../../../platform/durations.ts';
import type { FieldError } from '../../../platform/problem/index.ts';

type Scale = {
  title: string;
  min: number;
  max: number;
  decimals?: true;
  /** For most, a higher value is better. */
  lowerIsBetter?: true;
  /** Where the worst band ends: the highest value in it, or the lowest where lower is better. */
  worstBandEndsAt: number;
};

/**
 * The measures that social prescribing records:
 * - the four personal wellbeing questions of the Office for National Statistics (ONS4), which are never added up;
 * - its direct question about loneliness (1 often or always, 5 never), and the three-item scale of UCLA;
 * - the scores alone of those whose questions need a licence: the Warwick-Edinburgh scales (the short one raw or metric), MYCaW and the
 *   level of the Patient Activation Measure.
 *
 * `worstBandEndsAt` is where somebody looks into an answer. docs/measures.md says where it comes from, and what could not be found out.
 */
export const measures = {
  // Office for National Statistics: low is 0 to 4, and high anxiety 6 to 10.
  'ons4-life-satisfaction': { title: 'Life satisfaction (ONS4)', min: 0, max: 10, worstBandEndsAt: 4 },
  'ons4-worthwhile': { title: 'Life is worthwhile (ONS4)', min: 0, max: 10, worstBandEndsAt: 4 },
  'ons4-happiness': { title: 'Happiness yesterday (ONS4)', min: 0, max: 10, worstBandEndsAt: 4 },
  'ons4-anxiety': {
    title: 'Anxiety yesterday (ONS4)',
    min: 0,
    max: 10,
    lowerIsBetter: true,
    worstBandEndsAt: 6,
  },
  // No published band: two answers “often”, and the third at least “some of the time”.
  'ucla-3': { title: 'Loneliness (UCLA-3)', min: 3, max: 9, lowerIsBetter: true, worstBandEndsAt: 8 },
  // Often or always lonely: the answer that national figures report.
  'loneliness-direct': { title: 'How often lonely (direct question)', min: 1, max: 5, worstBandEndsAt: 1 },
  // University of Warwick: probable depression, by comparison with other scales.
  swemwbs: { title: 'Mental wellbeing (SWEMWBS)', min: 7, max: 35, decimals: true, worstBandEndsAt: 17 },
  wemwbs: { title: 'Mental wellbeing (WEMWBS)', min: 14, max: 70, worstBandEndsAt: 40 },
  // The lowest of four levels.
  'pam-level': { title: 'Activation level (PAM)', min: 1, max: 4, worstBandEndsAt: 1 },
  // No published band: the worst answer there is.
  mycaw: { title: 'Main concern (MYCaW)', min: 0, max: 6, lowerIsBetter: true, worstBandEndsAt: 6 },
} as const satisfies Record<string, Scale>;

export type MeasureCode = keyof typeof measures;
export const measureCodes = Object.keys(measures) as MeasureCode[];

export const stages = ['start', 'review', 'end'] as const;
/** A change is from one of these to the other. */
export const pairedStages = ['start', 'end'] as const;
export const measurers = ['person', 'staff'] as const;
export const measureModes = ['in-person', 'telephone', 'video', 'online', 'paper'] as const;

export type Measure = { code: MeasureCode; stage: (typeof stages)[number]; value: number };
/** One that was taken while the referral was open. `by`: who answered, or who judged. */
export type TakenMeasure = Measure & {
  taken_at: string;
  by: (typeof measurers)[number];
  mode?: (typeof measureModes)[number];
};

/** Enough for ten measures at twenty visits. */
export const maxMeasures = 200;

const scaleOf = (code: MeasureCode): Scale => measures[code];

/** “0 to 10, higher is better”. */
export function scaleInWords(code: MeasureCode): string {
  const { min, max, lowerIsBetter } = scaleOf(code);
  return `${min} to ${max}, ${lowerIsBetter ? 'lower' : 'higher'} is better`;
}

/** Checks what the schema cannot: each measure has its own range, and occurs at most once for each stage. */
export function measureErrors(newMeasures: readonly Measure[], list = '/outcome/measures'): FieldError[] {
  return newMeasures.flatMap(({ code, stage, value }, index) => {
    const pointer = `${list}/${index}`;
    const { min, max, decimals } = scaleOf(code);
    const isRepeated = newMeasures.slice(0, index).some((each) => each.code === code && each.stage === stage);
    if (isRepeated) return [{ pointer: `${pointer}/code`, message: 'is given twice for this stage' }];
    const isAllowedNumber = decimals || Number.isInteger(value);
    if (isAllowedNumber && value >= min && value <= max) return [];
    const kind = decimals ? 'a number' : 'a whole number';
    return [{ pointer: `${pointer}/value`, message: `must be ${kind} from ${min} to ${max}` }];
  });
}

/** A measure may be older than the referral: it is often taken when the person is first asked. */
export function takenAtErrors(
  newMeasures: readonly { taken_at?: string | undefined }[],
  now: Date,
): FieldError[] {
  return newMeasures.flatMap(({ taken_at }, index) => {
    if (taken_at === undefined) return [];
    const pointer = `/measures/${index}/taken_at`;
    if (Date.parse(taken_at) > now.getTime() + minuteMs)
      return [{ pointer, message: 'must not be in the future', code: 'in-future' }];
    if (Date.parse(taken_at) < now.getTime() - 366 * dayMs)
      return [{ pointer, message: 'must be at most a year ago', code: 'too-long-ago' }];
    return [];
  });
}

type MeasuredReferral = { outcome: { measures?: Measure[] } | null; content: { measures?: TakenMeasure[] } };

type MeasureDirection = 'better' | 'same' | 'worse';

export type MeasureChange = {
  code: MeasureCode;
  start?: number | undefined;
  end?: number | undefined;
  /** Only where both are known. */
  change?: MeasureDirection;
};

/** Each measure that was taken, with its values at the start and at the end. What was sent with the outcome counts last. */
export function changesOfMeasures({ outcome, content }: MeasuredReferral): MeasureChange[] {
  const all: Measure[] = [...(content.measures ?? []), ...(outcome?.measures ?? [])];
  return measureCodes.flatMap((code): MeasureChange[] => {
    const [start, end] = pairedStages.map((stage) => valueAt(all, code, stage));
    if (start === undefined && end === undefined) return [];
    if (start === undefined || end === undefined) return [{ code, start, end }];
    return [{ code, start, end, change: changeBetween(code, start, end) }];
  });
}

/** The value that counts for this stage. One that was taken again counts in place of the earlier one. */
function valueAt(all: readonly Measure[], code: MeasureCode, stage: Measure['stage']): number | undefined {
  return all.findLast((each) => each.code === code && each.stage === stage)?.value;
}

/** “2 → 0, better”, or what is known of the two. */
export function changeInWords({ start, end, change }: MeasureChange): string {
  if (change) return `${start} → ${end}, ${directionWords[change]}`;
  return end === undefined
    ? `${start} at the start, not measured at the end yet`
    : `not measured at the start, ${end} at the end`;
}

const directionWords = { better: 'better', same: 'the same', worse: 'worse' } as const;

function changeBetween(code: MeasureCode, start: number, end: number): MeasureDirection {
  if (start === end) return 'same';
  return end > start !== (scaleOf(code).lowerIsBetter === true) ? 'better' : 'worse';
}

/** How much worse a value has to become before somebody looks into it. */
const worryingChange = 3;

/** Whether somebody has to look into a measure: it is the newest of its kind, and in the worst band or worse by 3 than at the start. */
export function isWorrying(all: readonly TakenMeasure[], measure: TakenMeasure): boolean {
  const { code, value } = measure;
  const ofKind = all.filter((each) => each.code === code);
  if (ofKind.some(({ taken_at }) => taken_at > measure.taken_at)) return false;
  if (ofKind.at(-1) !== measure && ofKind.at(-1)?.taken_at === measure.taken_at) return false;
  const { worstBandEndsAt, lowerIsBetter } = scaleOf(code);
  // A start that is taken again is compared with the start before it.
  const others = all.filter((each) => each !== measure);
  const start = valueAt(others, code, 'start') ?? value;
  const worseBy = lowerIsBetter ? value - start : start - value;
  return (lowerIsBetter ? value >= worstBandEndsAt : value <= worstBandEndsAt) || worseBy >= worryingChange;
}
