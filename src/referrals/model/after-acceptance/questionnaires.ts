import { dayMs } from '../../../platform/durations.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { openStatuses, type Referral } from '../referral.ts';
import type { Measure, MeasureCode } from './measures.ts';

type Question = {
  /** Of its field. For ONS4 the code of its measure. */
  name: string;
  text: string;
  hint?: string;
  answers: readonly { value: number; text: string }[];
};

type Questionnaire = {
  /** For staff. */
  title: string;
  /** For the person, who need not know what it measures. */
  button: string;
  introduction: string;
  questions: readonly Question[];
  /** The measure that the answers add up to. Without it each question is a measure of its own, and can be left out. */
  sumOf?: MeasureCode;
};

const zeroToTen = Array.from({ length: 11 }, (_, value) => ({ value, text: String(value) }));
const howOften = [
  { value: 1, text: 'Hardly ever or never' },
  { value: 2, text: 'Some of the time' },
  { value: 3, text: 'Often' },
];

/**
 * The questionnaires that may be printed without a licence, word for word as the harmonised standards of the Government Statistical Service
 * have them (docs/measures.md): another wording would make the scores incomparable.
 */
export const questionnaires = {
  ons4: {
    title: 'Personal wellbeing (ONS4)',
    button: 'Answer four questions about your life',
    introduction:
      'Next I would like to ask you four questions about your feelings on aspects of your life. There are no right or wrong answers. For each of these questions I’d like you to give an answer on a scale of 0 to 10, where 0 is “not at all” and 10 is “completely”.',
    questions: [
      {
        name: 'ons4-life-satisfaction',
        text: 'Overall, how satisfied are you with your life nowadays?',
        hint: '0 is “not at all satisfied” and 10 is “completely satisfied”',
        answers: zeroToTen,
      },
      {
        name: 'ons4-worthwhile',
        text: 'Overall, to what extent do you feel that the things you do in your life are worthwhile?',
        hint: '0 is “not at all worthwhile” and 10 is “completely worthwhile”',
        answers: zeroToTen,
      },
      {
        name: 'ons4-happiness',
        text: 'Overall, how happy did you feel yesterday?',
        hint: '0 is “not at all happy” and 10 is “completely happy”',
        answers: zeroToTen,
      },
      {
        name: 'ons4-anxiety',
        text: 'On a scale where 0 is “not at all anxious” and 10 is “completely anxious”, overall, how anxious did you feel yesterday?',
        answers: zeroToTen,
      },
    ],
  },
  'ucla-3': {
    title: 'Loneliness (UCLA-3)',
    button: 'Answer three questions about other people in your life',
    introduction:
      'The next questions are about how you feel about different aspects of your life. For each one, say how often you feel that way.',
    questions: [
      {
        name: 'ucla-companionship',
        text: 'How often do you feel that you lack companionship?',
        answers: howOften,
      },
      { name: 'ucla-left-out', text: 'How often do you feel left out?', answers: howOften },
      { name: 'ucla-isolated', text: 'How often do you feel isolated from others?', answers: howOften },
    ],
    sumOf: 'ucla-3',
  },
  'loneliness-direct': {
    title: 'How often lonely (direct question)',
    button: 'Answer one question about how you feel',
    introduction: 'There is no right or wrong answer.',
    questions: [
      {
        name: 'loneliness-direct',
        text: 'How often do you feel lonely?',
        answers: [
          { value: 1, text: 'Often or always' },
          { value: 2, text: 'Some of the time' },
          { value: 3, text: 'Occasionally' },
          { value: 4, text: 'Hardly ever' },
          { value: 5, text: 'Never' },
        ],
      },
    ],
    sumOf: 'loneliness-direct',
  },
} as const satisfies Record<string, Questionnaire>;

export type QuestionnaireCode = keyof typeof questionnaires;
export const questionnaireCodes = Object.keys(questionnaires) as QuestionnaireCode[];

export function questionnaireOf(code: QuestionnaireCode): Questionnaire {
  return questionnaires[code];
}

/** The value of “I would rather not say”, where a question can be left out. */
export const notSaid = 'not-said';

/** The fields of a questionnaire. */
export function questionNames(code: QuestionnaireCode): string[] {
  return questionnaireOf(code).questions.map(({ name }) => name);
}

/**
 * Reads the answers of a form. A question that was passed over by mistake is an error, beside its field; nothing is stored of a
 * questionnaire that is half filled in.
 */
export function readAnswers(
  code: QuestionnaireCode,
  stage: Measure['stage'],
  values: Readonly<Record<string, string>>,
): { measures: Measure[]; errors: FieldError[] } {
  const { questions, sumOf } = questionnaireOf(code);
  const choices = questions.map(({ name, answers }) => {
    const value = answers.find((each) => String(each.value) === values[name])?.value;
    return { name, value, isLeftOut: sumOf === undefined && values[name] === notSaid };
  });
  const orNot = sumOf === undefined ? ', or “I would rather not say”' : '';
  const errors = choices.flatMap(({ name, value, isLeftOut }, index): FieldError[] =>
    value === undefined && !isLeftOut
      ? [{ pointer: `/${name}`, message: `Question ${index + 1}: select an answer${orNot}` }]
      : [],
  );
  if (errors.length > 0) return { measures: [], errors };
  const answers = choices.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
  if (answers.length === 0)
    return {
      measures: [],
      errors: [{ pointer: `/${choices[0]!.name}`, message: 'Answer at least one question' }],
    };
  const measures = sumOf
    ? [{ code: sumOf, stage, value: answers.reduce((sum, { value }) => sum + value, 0) }]
    : answers.map(({ name, value }) => ({ code: name as MeasureCode, stage, value }));
  return { measures, errors: [] };
}

/** After 90 days the person is asked the questions of the end, even if the support goes on. */
export const endDueAfterMs = 90 * dayMs;

type MeasuredReferral = Pick<Referral, 'status' | 'content' | 'outcome'>;

/**
 * The questionnaires that the person is asked now on their page: for the start while the referral is open, and for the end once it is
 * completed, or has gone on for 90 days. Each is asked once; staff can take any again.
 */
export function questionnairesDue(
  { status, content, outcome }: MeasuredReferral,
  asks: readonly QuestionnaireCode[],
  now: Date,
): { code: QuestionnaireCode; stage: 'start' | 'end' }[] {
  const measures = content.measures ?? [];
  return asks.flatMap((code): { code: QuestionnaireCode; stage: 'start' | 'end' }[] => {
    const ofThis = (stage: string) =>
      measures.filter((each) => each.stage === stage && isMeasureOf(code, each.code));
    const [start] = ofThis('start');
    const hasEnd =
      ofThis('end').length > 0 ||
      (outcome?.measures ?? []).some((each) => each.stage === 'end' && isMeasureOf(code, each.code));
    if (!start) return openStatuses.includes(status) ? [{ code, stage: 'start' }] : [];
    const isLong =
      openStatuses.includes(status) && now.getTime() - Date.parse(start.taken_at) >= endDueAfterMs;
    return !hasEnd && (status === 'completed' || isLong) ? [{ code, stage: 'end' }] : [];
  });
}

function isMeasureOf(code: QuestionnaireCode, measure: MeasureCode): boolean {
  const { sumOf, questions } = questionnaireOf(code);
  return sumOf === undefined ? questions.some(({ name }) => name === measure) : sumOf === measure;
}
