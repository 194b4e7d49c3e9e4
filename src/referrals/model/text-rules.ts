/** How one text of a referral is treated. */
type TextRule = {
  /**
   * What somebody reads who may not know the sensitive service that the person is referred to:
   * - `shown`: the text, because it says who the person is or how it is safe to contact them
   * - `left out`: nothing
   * - `not shown`, `staff`, `somebody`: these words in its place, because something must be said
   * - `by name`: the text, if it is the name of somebody of the referrer’s side (`present.ts`)
   */
  readonly forOthers: 'shown' | 'left out' | 'not shown' | 'staff' | 'somebody' | 'by name';
  /** How a sentence names the part of the referral. Words of a crisis are looked for in a text that has this. */
  readonly part?: string;
};

const contactAnswers = 'the answers about safe contact';
const agreementAnswers = 'the answers about the person’s agreement';
const carerDetails = 'the carer’s details';
const contactNeeds = 'what the person needs to be contacted';
const shown: TextRule = { forOthers: 'shown' };
const leftOut: TextRule = { forOthers: 'left out' };

/**
 * Every text that somebody writes into a referral, by its place in the content. A colleague of the referrer who gave no reason must not
 * read a text that tells what kind of service it is for. A text in which staff write what a person said may have words of a crisis.
 * `test/rules/texts.test.ts` fails for a text of the API that is not here: decide on both.
 */
export const referralTexts: Readonly<Record<string, TextRule>> = {
  'patient.nhs_number': shown,
  'patient.title': shown,
  'patient.given_name': shown,
  'patient.family_name': shown,
  'patient.birth_date': shown,
  'patient.ethnicity': { forOthers: 'shown', part: 'the person’s ethnicity' },
  // What staff of a confidential service enter here is hidden by `referrers-details.ts`.
  'patient.address.lines[]': shown,
  'patient.address.postcode': shown,
  'patient.telephone': shown,
  'patient.email': shown,
  'patient.preferred_contact': { forOthers: 'shown', part: 'how the person prefers to be contacted' },
  'patient.communication_needs.interpreter': { forOthers: 'shown', part: contactNeeds },
  'patient.communication_needs.format': { forOthers: 'shown', part: contactNeeds },
  'patient.carer.name': { forOthers: 'shown', part: carerDetails },
  'patient.carer.relationship': { forOthers: 'shown', part: carerDetails },
  'patient.carer.telephone': shown,
  'referrer.name': shown,
  'referrer.role': shown,
  'referrer.organisation': shown,
  'referrer.ods_code': shown,
  'referrer.job_title': shown,
  'referrer.telephone': shown,
  'referrer.on_behalf_of': { forOthers: 'left out', part: 'on whose behalf it was made' },
  'reasons[].text': { forOthers: 'left out', part: 'the reason for referral' },
  'reasons[].code': { forOthers: 'left out', part: 'the reason for referral' },
  what_matters: { forOthers: 'left out', part: 'what matters to the person' },
  safety_notes: { forOthers: 'left out', part: 'the safety note' },
  support_offered: { forOthers: 'left out', part: 'the support so far' },
  'goals[].text': { forOthers: 'left out', part: 'the goals' },
  'gp_actions[].text': { forOthers: 'not shown', part: 'what the GP practice is asked to do' },
  'gp_actions[].asked_by': { forOthers: 'staff', part: 'what the GP practice is asked to do' },
  'contacts[].note': { forOthers: 'left out', part: 'a note of a contact' },
  'contacts[].by': leftOut,
  'appointments[].place': { forOthers: 'left out', part: 'the place of an appointment' },
  'appointments[].by': leftOut,
  'risk_acted_on.who_was_told': { forOthers: 'somebody' },
  // That somebody must not know tells what kind of service it is. Nobody may ring without it: see `hide-sensitive-services.ts`.
  'contact.channel': { forOthers: 'left out', part: contactAnswers },
  'contact.only_at': { forOthers: 'left out', part: contactAnswers },
  'contact.who_must_not_know': { forOthers: 'left out', part: contactAnswers },
  'fit_override.reason': { forOthers: 'left out', part: 'why it is this service' },
  'fit_override.misfits[]': leftOut,
  'mismatch_override.reason': { forOthers: 'left out', part: 'why the NHS number is right' },
  'namesake_override.reason': { forOthers: 'left out', part: 'why it is somebody else of the same name' },
  'contact_override.reason': { forOthers: 'left out', part: 'why the answer about contact is right' },
  'urgency_override.reason': { forOthers: 'left out', part: 'why it is not urgent' },
  'death_override.reason': { forOthers: 'left out', part: 'why the person is said to be alive' },
  'agreement.judged_by': { forOthers: 'left out', part: agreementAnswers },
  'agreement.decided_by': { forOthers: 'left out', part: agreementAnswers },
  'agreement.consulted': { forOthers: 'left out', part: agreementAnswers },
  'consent.wording': leftOut,
  'consent.recorded_by': { forOthers: 'by name' },
  'consent.reason': { forOthers: 'not shown', part: agreementAnswers },
  'consent.said_by.judged_by': leftOut,
  'consent.said_by.decided_by': leftOut,
  'consent.said_by.consulted': leftOut,
  // The suggested service is shown to those who may know it: see `present.ts`.
  'suggested_service.name': leftOut,
};

/** The texts of a referral at a place, such as `goals[].text`. */
export function textsAt(content: unknown, path: string): string[] {
  const texts: string[] = [];
  changeTextsAt(content, path, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The content with the texts at a place changed, or left out where they become undefined. */
export function changeTextsAt<T>(content: T, path: string, change: (text: string) => string | undefined): T {
  return changeAt(content, path.split(/\.|(?=\[\])/), change) as T;
}

function changeAt(value: unknown, steps: string[], change: (text: string) => string | undefined): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return typeof value === 'string' ? change(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (step === '[]')
    return Array.isArray(value)
      ? value.map((item) => changeAt(item, rest, change)).filter((item) => item !== undefined)
      : value;
  if (!(step in value)) return value;
  const { [step]: before, ...others } = value as Record<string, unknown>;
  const after = changeAt(before, rest, change);
  return after === undefined ? others : { ...value, [step]: after };
}
