import { joinDate, trimToUndefined } from '../../platform/html/index.ts';
import type { Field } from './form-errors.ts';
import { gpFields } from './gp-actions-form.ts';

export const notRealDate = 'Date of birth must be a real date, like 9 3 1947';

/** The fields for a person’s details, with labels and messages, for several forms. */
export const personFieldWords = {
  given_name: { label: 'First name', empty: 'Enter the person’s first name' },
  family_name: { label: 'Last name', empty: 'Enter the person’s last name' },
  birth_day: { label: 'Date of birth' },
  birth_month: { label: 'Month of birth' },
  birth_year: { label: 'Year of birth' },
  nhs_number: { label: 'NHS number', wrong: 'NHS number must have 10 digits, like 999 000 0018' },
  postcode: { label: 'Postcode', wrong: 'Enter a full UK postcode, like HR1 2BN' },
} satisfies Record<string, Field>;

type PersonForm = Record<'nhs_number' | 'family_name' | 'birth_day' | 'birth_month' | 'birth_year', string>;

/** The person to search for. Empty fields are undefined. */
export function personFromForm(form: PersonForm) {
  return {
    nhs_number: form.nhs_number.replaceAll(/[\s-]/g, '') || undefined,
    family_name: trimToUndefined(form.family_name),
    birth_date: joinDate([form.birth_year, form.birth_month, form.birth_day]),
  };
}

const telephone = 'Enter a telephone number, like 01632 960 001';

/** Every field of the form for a new referral, in the order of the page. */
export const referralFields = {
  given_name: { ...personFieldWords.given_name, pointer: '/patient/given_name' },
  family_name: { ...personFieldWords.family_name, pointer: '/patient/family_name' },
  nhs_number: {
    ...personFieldWords.nhs_number,
    pointer: '/patient/nhs_number',
    messages: {
      'not-nhs-number': 'NHS number is not a valid one: check its 10 digits',
      'real-number':
        'NHS number must begin with 999 on this test site, like 999 000 0018: use made-up people only',
      'test-number': 'NHS number must not begin with 999: those are only for tests',
      'chi-number':
        'This may be a CHI number of Scotland: enter an NHS number of England or Wales, or leave it blank',
      'health-and-care-number':
        'This may be a Health and Care number of Northern Ireland: enter an NHS number of England or Wales, or leave it blank',
      'person-mismatch': 'NHS number is known with another name or date of birth: check them with the person',
      'tried-too-often':
        'NHS number was entered with too many different names or dates of birth: check them with the person',
      'not-issued': 'NHS number is not one that England or Wales has issued: check its 10 digits',
    },
  },
  birth_day: {
    ...personFieldWords.birth_day,
    pointer: '/patient/birth_date',
    messages: { format: notRealDate },
  },
  birth_month: personFieldWords.birth_month,
  birth_year: personFieldWords.birth_year,
  address_line_1: {
    pointer: '/patient/address/lines',
    label: 'Address line 1',
    empty: 'Enter the first line of the person’s address',
  },
  postcode: {
    ...personFieldWords.postcode,
    pointer: '/patient/address/postcode',
    empty: 'Enter the person’s postcode',
    messages: {
      'outside-area': 'Postcode is outside the area that the service serves',
      'outside-postcodes': 'Postcode is outside the area that the service serves',
      'unknown-outside-postcodes':
        'We do not know this postcode: check it. As it is, it is outside the area that the service serves',
      'unknown-postcode': 'We do not know this postcode. Correct it, or confirm that it is right',
    },
  },
  title: { pointer: '/patient/title', label: 'Title' },
  address_line_2: { label: 'Address line 2' },
  address_town: { label: 'Town or city' },
  gender: {
    pointer: '/patient/gender',
    label: 'Gender',
    wrong: 'Select a gender, or leave it at “Not given”',
  },
  ethnic_category: {
    pointer: '/patient/ethnic_category',
    label: 'Ethnic category',
    wrong: 'Select an ethnic category, or leave it at “Not asked”',
  },
  ethnicity: { pointer: '/patient/ethnicity', label: 'Ethnic background' },
  contact_safe: {
    pointer: '/contact/safe',
    label: 'Safe contact',
    empty: 'Select whether it is safe to contact the person',
    wrong: 'Select whether it is safe to contact the person',
    messages: {
      contradiction:
        'You entered when or where it is safe. Select “Only at certain times or places”, or clear that field',
      'voicemail-not-safe':
        'It is not safe to contact the person, but a voicemail may be left: change one of the two',
    },
  },
  contact_only_at: {
    pointer: '/contact/only_at',
    label: 'When or where it is safe',
    empty: 'Enter when or where it is safe to contact the person',
    messages: {
      contradiction: 'Select “Only at certain times or places”, or leave when and where it is safe blank',
    },
  },
  carer_name: { pointer: '/patient/carer/name', label: 'Carer’s name', empty: 'Enter the carer’s name' },
  carer_relationship: { pointer: '/patient/carer/relationship', label: 'Relationship to the person' },
  carer_telephone: {
    pointer: '/patient/carer/telephone',
    label: 'Carer’s telephone number',
    wrong: telephone,
  },
  carer_share: { pointer: '/patient/carer/share_with_gp', label: 'Naming the carer' },
  telephone: { pointer: '/patient/telephone', label: 'Telephone number', wrong: telephone },
  email: {
    pointer: '/patient/email',
    label: 'Email address',
    wrong: 'Enter an email address in the right format, like name@example.org',
    messages: {
      'own-account': 'This is the email address of your own account: ask a colleague to refer you',
    },
  },
  contact_channel: { pointer: '/contact/channel', label: 'The only safe way to contact the person' },
  contact_voicemail: {
    pointer: '/contact/voicemail',
    label: 'Voicemail',
    wrong: 'Select whether a voicemail may be left',
    messages: { 'voicemail-not-safe': 'No voicemail may be left where it is not safe to contact the person' },
  },
  contact_secret: {
    pointer: '/contact/who_must_not_know',
    label: 'Who must not know',
    messages: {
      'carer-must-not-know':
        'Somebody must not know, and it may be the carer: untick that the GP practice may be told who the carer is',
    },
  },
  person_page: {
    pointer: '/person_page/send',
    label: 'The page for the person',
    messages: {
      'switched-off':
        'This site sends people no pages of their own: leave “Safe to send to this person” empty',
      'sensitive-service':
        'Nothing is sent to people about this service: leave “Safe to send to this person” empty',
      'at-risk':
        'Nothing is sent to somebody who may be at risk, or whose referral has words of a crisis: leave “Safe to send to this person” empty',
      'dangerous-need':
        'Nothing is sent to somebody who may be abused, controlled or watched at home, as a need or the words of this referral suggest: leave “Safe to send to this person” empty',
      'under-16':
        'Nothing is sent to somebody under 16, unless you record who judged that the child can decide this',
      'best-interests':
        'Nothing is sent where somebody decides for the person, because they may read the person’s messages: leave “Safe to send to this person” empty',
      'contact-not-safe':
        'To send the person a link, it must be safe to contact them: answer “Yes” there, or leave “Safe to send to this person” empty',
      'somebody-must-not-know':
        'Nothing is sent to the person while somebody must not know: leave “Safe to send to this person” empty',
      'no-text-messages':
        'This site sends no text messages. Ask whether email is safe, or leave “Safe to send to this person” empty',
      'channel-not-email':
        'To send the person a link, email or text must be the safe way to contact them: select “Email only” or “Text message only”, or leave “Safe to send to this person” empty',
      'no-email': 'To send the person a link, enter their email address',
      'no-mobile':
        'To send the person a link by text, enter their UK mobile number, like 07700 900123: a landline gets no text messages',
    },
  },
  preferred_contact: { pointer: '/patient/preferred_contact', label: 'Other wishes about contact' },
  interpreter: { pointer: '/patient/communication_needs/interpreter', label: 'Interpreter' },
  format: { pointer: '/patient/communication_needs/format', label: 'Format' },
  reasonable_adjustments: {
    pointer: '/reasonable_adjustments',
    label: 'Reasonable adjustments',
    wrong: 'Select reasonable adjustments from the list',
  },
  // Whether it is the practice of the person who refers, another or none.
  gp_from: {
    pointer: '/gp_from',
    label: 'GP practice',
    empty: 'Select which GP practice the person is with, or “Not known, or none”',
  },
  // Whether the form asked that: it does so only of people who work at a practice.
  gp_asked: { label: 'GP practice' },
  gp_ods_code: {
    pointer: '/gp_practice',
    label: 'GP practice code',
    empty: 'Enter the name or code of the GP practice',
    wrong: 'GP practice code must be 3 to 12 letters and numbers, like Z99001',
    messages: {
      'unknown-practice':
        'No GP practice like that is known on this site: check the spelling, try its town or postcode, or leave it blank',
      'closed-practice':
        'This GP practice has closed: ask the person which one they have now, or leave it blank',
    },
  },
  gp_choice: {
    pointer: '/gp_choice',
    label: 'GP practice',
    messages: { required: 'Select the GP practice, or enter another name' },
  },
  // The words that the practices were offered for.
  gp_offered_for: { label: 'GP practice' },
  ...gpFields,
  share_with_gp: {
    pointer: '/consent/share_with_gp',
    label: 'Sharing with the GP practice',
    empty: 'Select whether the GP practice may be told',
    wrong: 'Select whether the GP practice may be told',
  },
  reasons: { pointer: '/reasons', label: 'Reason', empty: 'Enter why you are referring the person' },
  needs: { pointer: '/needs', label: 'Needs', wrong: 'Select needs from the list' },
  urgency: {
    pointer: '/urgency',
    label: 'Urgency',
    empty: 'Select how urgent the referral is',
    wrong: 'Select how urgent the referral is',
  },
  risk: {
    pointer: '/risk',
    label: 'Risk of serious harm',
    empty: 'Select whether anybody is at risk of serious harm now',
    wrong: 'Select whether anybody is at risk of serious harm now',
    messages: { contradiction: 'You entered who was told of the risk. Select “Yes”, or empty those fields' },
  },
  risk_told: {
    pointer: '/risk_acted_on/who_was_told',
    label: 'Who you told of the risk',
    empty: 'Enter whom you told of the risk',
  },
  risk_told_at: {
    pointer: '/risk_acted_on/when',
    label: 'When you told them',
    empty: 'Enter when you told them of the risk',
    wrong: 'When you told them must be a date and time, like 24 November 2026 at 10:30',
    messages: {
      'too-long-ago':
        'When you told them must be within the last 31 days: what was done so long ago does not answer a risk now. Tell somebody first',
    },
  },
  what_matters: { pointer: '/what_matters', label: 'What matters to the person' },
  safety_notes: {
    pointer: '/safety_notes',
    label: 'Safety notes',
    messages: {
      'told-since':
        'Write what staff should know of the danger that was told about the earlier referral, or that it is over',
    },
  },
  safety_notes_for_practice: { pointer: '/safety_notes_for_practice', label: 'Tell the practice too' },
  support_offered: { pointer: '/support_offered', label: 'Support offered so far' },
  mismatch_reason: { pointer: '/mismatch_override', label: 'Why this NHS number is right' },
  namesake_reason: { pointer: '/namesake_override', label: 'How you know that it is somebody else' },
  death_reason: { pointer: '/death_override', label: 'Why the person is referred all the same' },
  fit_reason: { pointer: '/fit_override', label: 'Why this service' },
  /** What the reason answers, as JSON. */
  fit_misfits: { label: 'What does not fit' },
  do_not_show_online: { pointer: '/do_not_show_online', label: 'Showing it online' },
  on_behalf_of: { pointer: '/referrer', label: 'Colleague’s name' },
  source: { pointer: '/source', label: 'Who asked for it', wrong: 'Select who asked for the referral' },
  method: { pointer: '/method', label: 'How it was taken', wrong: 'Select how the referral was taken' },
  episode: {
    pointer: '/episode',
    label: 'Episode',
    wrong: 'Select whether an earlier referral began this episode',
  },
  made_at: {
    pointer: '/made_at',
    label: 'When it was taken on paper',
    wrong: 'When it was taken on paper must be a date and time, like 24 November 2026 at 10:30',
    messages: {
      'in-future': 'When it was taken on paper must not be in the future. Check the date and the time',
      'too-long-ago':
        'That is too long ago: leave it empty, and say in the reasons when it was taken. The service then has its usual time to answer',
    },
  },
  agreement_basis: {
    pointer: '/agreement/basis',
    // The answer to who agreed also says that somebody did.
    impliedPointer: '/consent/referral',
    label: 'Who agreed',
    empty: 'Select whether the person agrees, or who agreed for them',
    wrong: 'Select who agreed',
    messages: {
      contradiction:
        'You entered who judged or decided, which does not go with what you selected. Select it, or empty those fields',
      'under-16':
        'The person is under 16: select who else agreed, or that the child was judged able to decide',
      'too-young-to-decide':
        'The child was under 10 when that was judged: select who else agreed or decided, or check the date of birth',
      'not-a-child':
        'This answer is for somebody under 18: check the date of birth, or select another answer',
      'a-child':
        'This answer is for somebody of 16 or over: check the date of birth, or select another answer',
      'undoes-own-decision':
        'The person decided that the GP practice is told less, in this referral or in another of your organisation. Ask them. Select that they agree themselves (for a child, that the child was judged able to decide), or share no more than they decided',
    },
  },
  agreement_judged_by: {
    pointer: '/agreement/judged_by',
    label: 'Who judged that the child can decide',
    empty: 'Enter who judged that the child can decide this',
  },
  agreement_when: {
    pointer: '/agreement/when',
    label: 'When that was judged',
    empty: 'Enter when that was judged',
    wrong: 'When that was judged must be a date and time, like 24 November 2026 at 10:30',
    messages: { 'too-long-ago': 'When that was judged must be within the last 10 years' },
  },
  agreement_decided_by: {
    pointer: '/agreement/decided_by',
    label: 'Who decided in the person’s best interests',
    empty: 'Enter who decided in the person’s best interests',
  },
  agreement_consulted: { pointer: '/agreement/consulted', label: 'Who was asked before' },
  // Only on a correction that takes away what protects the person.
  correction_reason: { pointer: '/reason', label: 'The reason' },
  allow_duplicate: { pointer: '/allow_duplicate', label: 'Make this referral anyway' },
} satisfies Record<string, Field>;

export type ReferralField = keyof typeof referralFields;

/** Fields where somebody may tick several answers: their codes, with commas between them. */
export const tickedFields = ['needs', 'reasonable_adjustments'] as const satisfies readonly ReferralField[];

export const referralFieldNames = Object.keys(referralFields) as ReferralField[];
