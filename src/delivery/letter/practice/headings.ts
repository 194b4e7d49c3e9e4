/** The heading of a letter to a practice, up to the name of the service. */
export const headingStarts = {
  copy: 'Copy of a referral',
  urgent: 'Copy of an urgent referral',
  outcome: 'Outcome of a referral',
  code: 'Notice of a referral',
} as const;

/** The heading of a notice. The letter that takes one back names it. */
export const removalHeadings = {
  'wrong-practice': 'CHECK, THEN REMOVE FROM RECORD: letter sent to the wrong practice',
  'wrong-person': 'REMOVE FROM RECORD: letter sent to the wrong patient’s record',
  mistake: 'REMOVE FROM RECORD: referral sent by mistake',
} as const;
