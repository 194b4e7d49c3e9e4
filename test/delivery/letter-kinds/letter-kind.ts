import type { Life } from './make-letter.ts';

/**
 * A letter that a practice can get. `action` and `code` are what a reader has to find in it: who does what by when, and what to file. Each
 * life begins on Monday 7 September 2026.
 */
export type LetterKind = {
  kind: string;
  /** “Margaret Appleby 1947-03-09” */
  who: string;
  patient?: object;
  live: (life: Life) => Promise<void>;
  /** Where the letter goes, if not to Mill Lane Surgery. */
  practice?: string;
  /** Left out where the practice has nothing to do. */
  action?: string;
  /** Left out where it is the usual one of its table. */
  code?: string;
};

export const referralCode = 'File 871731000000106, dated 7 September 2026';
export const noNewCode = 'No new code';
export const undoReferralCode = 'Remove 871731000000106, dated 7 September 2026';

export const inhaler = {
  text: 'Review her inhaler technique.',
  by_date: '2026-10-30',
  asked_by: 'Asha Patel, 01632 960900',
  patient_told: true,
};
export const bloods = {
  text: 'Repeat the HbA1c blood test.',
  by_date: '2026-11-27',
  asked_by: 'Asha Patel, 01632 960900',
  patient_told: true,
};
export const painkillers = {
  text: 'Review his painkillers: they make him drowsy.',
  by_date: '2027-01-15',
  asked_by: 'Jo Hall, 01632 960200',
  patient_told: true,
};
export const codesOnly = { consent: { referral: true, share_with_gp: 'codes_only' } };
export const unsafe = { safe: 'no', who_must_not_know: 'her husband' };
export const because = (code: string, text: string, more: object = {}) => ({
  status_reason: { code, text },
  ...more,
});
