import type { ReferralForm } from './referral-form.ts';

type Option = { text: string; hint?: string };
type Question = { ask: string; hint?: string; options: Readonly<Record<string, Option>> };
type FormQuestions = { basis: Question; share: Question };

const copyOptions = {
  yes: { text: 'Yes, all of it' },
  codes_only: {
    text: 'Coded entry only',
    hint: 'Shows that a referral was made and how it ended, no free text',
  },
  no: { text: 'No' },
};

/** The service, and whether the name of the referrer’s organisation says as much as that of a sensitive service. */
type WordingContext = { sensitive: boolean; isReferrerSensitive?: boolean };

/**
 * What the form asks about the agreement: whether the person agrees, or who agreed or decided for them, is one question. The page shows these
 * words, and the referral keeps them with the answers.
 */
export function agreementQuestions({ sensitive, isReferrerSensitive }: WordingContext): FormQuestions {
  return {
    basis: {
      ask: 'Does the person agree to be referred, and to the service having what you write here?',
      options: {
        person: { text: 'Yes, the person agrees' },
        parental_responsibility: { text: 'Somebody with parental responsibility agrees' },
        competent_child: { text: 'The child agrees, and was judged able to decide this' },
        best_interests: { text: 'Nobody agreed: it was decided in the person’s best interests' },
        attorney_or_deputy: { text: 'An attorney or deputy agrees' },
        safeguarding: { text: 'Nobody agreed: it keeps the person or somebody else safe' },
      },
    },
    share: {
      ask: 'May their GP practice be told?',
      hint: sensitive
        ? 'This is a sensitive service. Many people do not want others to know, so ask: the copy names the service, and others at the practice or at home may read it'
        : isReferrerSensitive
          ? 'Your organisation has sensitive services. Many people do not want others to know, so ask: the copy names your organisation, and others at the practice or at home may read it'
          : 'A copy of the referral, and how it ended',
      options: copyOptions,
    },
  };
}

/** The questions of the paper form. */
export const paperQuestions: FormQuestions & { referral: Question } = {
  referral: {
    ask: 'The person agrees to be referred, and to the service having what is written here.',
    options: { person: { text: 'Yes' } },
  },
  basis: {
    ask: 'If somebody else decides (under 16, or without capacity):',
    options: {
      parental_responsibility: { text: 'Parental responsibility' },
      competent_child: { text: 'Competent child' },
      best_interests: { text: 'Best interests' },
      attorney_or_deputy: { text: 'Attorney or deputy' },
      safeguarding: { text: 'Safeguarding' },
    },
  },
  share: {
    ask: 'May their GP practice be told?',
    options: { yes: copyOptions.yes, codes_only: { text: copyOptions.codes_only.text }, no: copyOptions.no },
  },
};

/** What is asked when the person agrees to something else later. */
export const sharingQuestion: Question = {
  ask: 'What may their GP practice have from now on?',
  options: {
    yes: { text: 'A copy of the referral, and how it ended' },
    codes_only: copyOptions.codes_only,
    no: { text: 'Nothing' },
  },
};

/** Who says so later: for a child, or somebody who cannot decide, it may be somebody else. */
export const saidByQuestion: Question = {
  ask: 'Who said so?',
  hint: 'For somebody under 16, or who cannot decide this, it may be somebody else',
  options: {
    person: { text: 'The person' },
    parental_responsibility: { text: 'Somebody with parental responsibility' },
    competent_child: { text: 'The child, who was judged able to decide this' },
    best_interests: { text: 'Nobody: it was decided in the person’s best interests' },
    attorney_or_deputy: { text: 'An attorney or deputy' },
    safeguarding: { text: 'Nobody: it keeps the person or somebody else safe' },
  },
};

/** The questions about the agreement and their answers, as they were shown; undefined if none was answered. */
export function composeWording(form: ReferralForm, service: WordingContext): string | undefined {
  const isFromPaper = form.made_at.trim() !== '';
  const { basis, share } = isFromPaper ? paperQuestions : agreementQuestions(service);
  const lines = [
    isFromPaper ? answerText(paperQuestions.referral, form.agreement_basis) : undefined,
    answerText(basis, form.agreement_basis),
    answerText(share, form.share_with_gp),
  ].filter((line) => line !== undefined);
  if (lines.length === 0) return undefined;
  return [...(isFromPaper ? ['On the paper form:'] : []), ...lines].join('\n');
}

/** A question with its answer, in one line; undefined if it has none of the answers that were offered. */
export function answerText({ ask, hint, options }: Question, answer: string): string | undefined {
  const chosen = Object.hasOwn(options, answer) ? options[answer] : undefined;
  return chosen && [ask, hint, chosen.text, chosen.hint].filter((words) => words !== undefined).join(' – ');
}
