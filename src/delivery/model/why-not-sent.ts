/** Why a delivery is suppressed, in the words that it stores and that staff read beside it. */
export const whyNotSent = {
  notAgreed: 'The patient did not agree that their GP practice is told.',
  /** The person agreed that their practice is told, but nobody named it. */
  noPractice: 'No GP practice was named.',
  anotherPractice: 'Another practice was named.',
  superseded: 'A newer letter took its place before it was sent.',
  madeInError: 'The referral was made in error.',
  nothingToRemove: 'The practice has no letter to remove.',
  ended: 'The referral ended before this was sent.',
  nothingToEnd: 'The service has not been told of the referral.',
  goesOn: 'The referral is still open.',
  endingUndone: 'The referrer said that the ending was a mistake.',
  declineTakenBack: 'The service took back its decline.',
  personDied: 'The person has died.',
  /** A letter that says the person has died must not go out any more. */
  deathUndone: 'The person was reported dead by mistake.',
} as const;
