import type { PracticeLetterInput } from '../../src/delivery/letter/letter.ts';
import type { LetterFacts } from '../../src/delivery/model/delivery.ts';
import { exampleReferral } from './example-referral.ts';
import { type GivenContent, outcome, textOf } from './letters.ts';

export const referred = '871731000000106';
export const declined = '871711000000103';
export const { content } = exampleReferral();

export const facts: LetterFacts = {
  by: {
    at: '2027-02-01T10:00:00Z',
    name: 'Jo Hall',
    organisation: 'Sarrowby Arts Trust',
    isReferrer: false,
    isOfReferrer: false,
    jobTitle: null,
    telephone: null,
  },
  serviceTelephone: '01632 960200',
  earlierLetters: [{ at: '2026-11-21T09:30:00Z', purpose: 'referral' }],
  codeSentAt: '2026-11-21T09:30:00Z',
  wasEarlierConfirmed: false,
};
export const files = [{ name: 'housing.pdf', at: '2026-11-23T09:30:00Z', pages: 2, scanned: false }];
export const atTheEnd: PracticeLetterInput = {
  ...outcome,
  date: new Date('2027-02-01T10:00:00Z'),
  facts,
  files,
};

export const bloodPressure = {
  text: 'Check her blood pressure.',
  by_date: '2027-03-01',
  asked_by: 'Jo Hall, 01632 960200',
  patient_told: true,
  asked_with: 'outcome',
} as const;
export const hearing = {
  text: 'Send the hearing test.',
  asked_by: 'Asha Patel',
  asked_with: 'referral',
} as const;

export const completed = (given: GivenContent = {}) => ({
  status: 'completed' as const,
  outcome: { code: 'goals-partly-met', text: 'She joined the choir.' },
  content: given,
});
export const end = (given: GivenContent = {}, options: Partial<PracticeLetterInput> = {}) =>
  textOf({ ...atTheEnd, ...options }, completed(given));
