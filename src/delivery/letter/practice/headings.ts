/** How the heading of a letter to a practice begins. The name of the service follows. */
export const headingStarts = {
  referral: 'Copy of a referral',
  urgent: 'Copy of an urgent referral',
  outcome: 'Outcome of a referral',
  code: 'Notice of a referral',
} as const;

/** The headings of removal notices. A letter that takes a notice back quotes its heading. */
export const removalHeadings = {
  'wrong-practice': 'CHECK, THEN REMOVE FROM RECORD: letter sent to the wrong practice',
  'wrong-person': 'REMOVE FROM RECORD: letter sent to the wrong patient’s record',
  mistake: 'REMOVE FROM RECORD: referral sent by mistake',
} as const;
