import {
  bloods,
  codesOnly,
  inhaler,
  type LetterKind,
  noNewCode,
  referralCode,
  unsafe,
} from './letter-kind.ts';

const risk = {
  risk: 'yes',
  risk_acted_on: { who_was_told: 'Adult social care, duty desk', when: '2026-09-07T08:50:00Z' },
};
const long = Array.from(
  { length: 14 },
  () =>
    'She lives alone on the fourth floor, the lift is often broken, and she has stopped going to the shops. Her sister rings on Sundays.',
).join(' ');

/** First letters: all bring the code of a referral, unless they say otherwise. */
export const newReferrals: readonly LetterKind[] = [
  {
    kind: 'New referral, nothing asked',
    who: 'Margaret Appleby 1947-03-09',
    live: (life) => life.refer(),
  },
  {
    kind: 'New referral, nobody said what the practice does',
    who: 'Derek Boothroyd 1950-11-30',
    live: (life) => life.refer({ gp_actions: undefined }),
  },
  {
    kind: 'New referral, one task with a day',
    who: 'Susan Crossley 1958-01-17',
    live: (life) => life.refer({ gp_actions: [inhaler] }),
    action: 'GP or nurse, by Friday 30 October 2026: review her inhaler technique',
  },
  {
    kind: 'New referral, two tasks',
    who: 'Joan Dyson 1944-06-02',
    live: (life) => life.refer({ gp_actions: [bloods, inhaler] }),
    action:
      'GP or nurse: review her inhaler technique by Friday 30 October 2026; repeat the HbA1c by Friday 27 November 2026',
  },
  {
    kind: 'New referral, a task without a day',
    who: 'Irene Earnshaw 1939-12-12',
    live: (life) =>
      life.refer({
        gp_actions: [{ text: 'Send her last hearing test to the choir.', asked_by: 'Asha Patel' }],
      }),
    action: 'GP or nurse: send her last hearing test to the choir; no day was given',
  },
  {
    kind: 'Urgent, nothing asked',
    who: 'Brenda Firth 1962-08-21',
    live: (life) =>
      life.refer(
        {
          urgency: 'urgent',
          reasons: [{ text: 'Her electricity is cut off on Friday, and she uses a nebuliser.' }],
        },
        'debt',
      ),
    action: 'A clinician sees it today and decides whether to act',
  },
  {
    kind: 'Urgent, a task for tomorrow',
    who: 'Colin Gledhill 1955-04-04',
    live: (life) =>
      life.refer(
        {
          urgency: 'urgent',
          reasons: [{ text: 'His electricity is cut off on Friday, and he uses a nebuliser.' }],
          gp_actions: [
            {
              text: 'Write to the supplier that he uses a nebuliser.',
              by_date: '2026-09-08',
              asked_by: 'Asha Patel',
              patient_told: true,
            },
          ],
        },
        'debt',
      ),
    action: 'GP or nurse, by Tuesday 8 September 2026: write to the supplier that he uses a nebuliser',
  },
  {
    kind: 'Somebody is at risk, acted on',
    who: 'Elsie Hargreaves 1941-10-03',
    live: (life) => life.refer(risk),
    action: 'A clinician reads it today, rings Asha Patel (01632 960900) first and asks who is at risk',
    code: `${referralCode}, hidden online`,
  },
  {
    kind: 'Whether somebody is at risk could not be asked',
    who: 'Fiona Illingworth 1970-02-14',
    live: (life) => life.refer({ risk: 'could_not_ask' }),
  },
  {
    kind: 'At risk, and a task',
    who: 'Gillian Jagger 1966-07-19',
    live: (life) => life.refer({ ...risk, gp_actions: [bloods] }),
    action: 'A clinician reads it today and rings Asha Patel first; then HbA1c by Friday 27 November 2026',
    code: `${referralCode}, hidden online`,
  },
  {
    kind: 'Words of a crisis in the reason',
    who: 'Harold Kershaw 1959-09-09',
    live: (life) =>
      life.refer({
        reasons: [{ text: 'He told me that he wants to kill himself. He would not let me stay.' }],
      }),
    action: 'A clinician reads it today and decides what to do',
  },
  {
    kind: 'Child, a parent agreed',
    who: 'Amelia Lumb 2015-05-26',
    live: (life) =>
      life.refer({
        reasons: [{ text: 'She does not go to school.' }],
        agreement: { basis: 'parental_responsibility' },
      }),
    action: 'Reception, at once: put the contact limits on the record',
  },
  {
    kind: 'Child who may decide, and has a secret',
    who: 'Leah Mellor 2011-01-08',
    live: (life) =>
      life.refer({
        reasons: [{ text: 'She is bullied at school.' }],
        agreement: { basis: 'competent_child', judged_by: 'Asha Patel', when: '2026-09-07T09:00:00Z' },
        contact: {
          safe: 'only_at',
          only_at: 'after school, until 4pm',
          channel: 'telephone',
          who_must_not_know: 'her parents',
        },
        do_not_show_online: true,
      }),
    action: 'Reception, at once: hide online, contact limits. A clinician sees it today',
    code: `${referralCode}, hidden online`,
  },
  {
    kind: 'Child who may decide, no secret',
    who: 'Oliver Naylor 2011-11-11',
    live: (life) =>
      life.refer({
        reasons: [{ text: 'He cares for his mother.' }],
        agreement: { basis: 'competent_child', judged_by: 'Asha Patel', when: '2026-09-07T09:00:00Z' },
      }),
    action: 'Reception, at once: hide online until the child says that a parent may know; contact limits',
    code: `${referralCode}, hidden online`,
  },
  {
    kind: 'Best interests',
    who: 'Winifred Oldroyd 1936-03-15',
    live: (life) =>
      life.refer({
        agreement: { basis: 'best_interests', decided_by: 'Asha Patel', consulted: 'her daughter' },
      }),
  },
  {
    kind: 'Attorney agreed',
    who: 'Stanley Peel 1938-06-24',
    live: (life) => life.refer({ agreement: { basis: 'attorney_or_deputy' }, gp_actions: [bloods] }),
    action: 'GP or nurse, by Friday 27 November 2026: repeat the HbA1c',
  },
  {
    kind: 'Safeguarding',
    who: 'Doris Quarmby 1940-08-08',
    live: (life) =>
      life.refer({
        agreement: { basis: 'safeguarding' },
        reasons: [{ text: 'A neighbour takes her pension.' }],
      }),
    action: 'A clinician sees it within 2 working days',
  },
  {
    kind: 'Restricted service, no contact is safe',
    who: 'Nadia Rahman 1988-12-01',
    live: (life) =>
      life.refer(
        { contact: unsafe, do_not_show_online: true, reasons: [{ text: 'She wants advice.' }] },
        'refuge',
      ),
    action: 'Reception, at once: hide online, contact limits on the record. A clinician sees it today',
    code: `${referralCode}, hidden online`,
  },
  {
    kind: 'Not to be shown online, nothing else',
    who: 'Patricia Sykes 1953-02-27',
    live: (life) => life.refer({ do_not_show_online: true }),
    action: 'Reception, at once: hide online',
    code: `${referralCode}, hidden online`,
  },
  {
    kind: 'A carer is copied',
    who: 'Ronald Thackray 1935-10-10',
    patient: {
      carer: { name: 'Jean Thackray', relationship: 'wife', telephone: '01632 960124', share_with_gp: true },
    },
    live: (life) => life.refer(),
  },
  {
    kind: 'Codes only',
    who: 'Teresa Uttley 1964-04-30',
    live: (life) => life.refer(codesOnly),
    action: 'Reception, at once: hide online, and put on the record to ring Asha Patel before any contact',
    code: `${referralCode}, hidden online`,
  },
  {
    kind: 'Long text',
    who: 'Violet Varley 1943-01-31',
    live: (life) =>
      life.refer({
        reasons: [{ text: long }, { text: long }],
        what_matters: long,
        support_offered: long,
        gp_actions: [bloods],
      }),
    action: 'GP or nurse, by Friday 27 November 2026: repeat the HbA1c',
  },
  {
    kind: 'No NHS number',
    who: 'Walter Wadsworth 1951-05-05',
    patient: { nhs_number: undefined },
    live: (life) => life.refer(),
  },
  {
    kind: 'Name in Arabic alone',
    who: 'سمير الحداد 1979-09-17',
    live: (life) => life.refer(),
    action: 'Reception: find the record by the NHS number',
  },
  {
    kind: 'Polish name, interpreter and needs',
    who: 'Łucja Żółkiewska 1960-12-24',
    patient: { communication_needs: { interpreter: 'Polish', format: 'large print' } },
    live: (life) => life.refer({ reasonable_adjustments: ['wheelchair', 'hearing'], gp_actions: [inhaler] }),
    action: 'GP or nurse, by Friday 30 October 2026: review her inhaler technique',
  },
  {
    kind: 'Text only, and a task that sends',
    who: 'Xanthe Young 1990-03-03',
    live: (life) =>
      life.refer({
        contact: { safe: 'yes', channel: 'text', voicemail: false, who_must_not_know: 'her brother' },
        gp_actions: [
          {
            text: 'Send her the date of her next smear test.',
            by_date: '2026-10-16',
            asked_by: 'Asha Patel',
            patient_told: false,
          },
        ],
      }),
    action:
      'Reception, at once: hide online, contact limits. GP or nurse, by Friday 16 October 2026: tell the patient, then send the date of her smear test',
    code: `${referralCode}, hidden online`,
  },
  {
    kind: 'Paper referral typed in later',
    who: 'Arthur Ackroyd 1948-07-07',
    live: (life) => life.refer({ made_at: '2026-09-02T10:00:00Z', gp_actions: [bloods] }),
    action: 'GP or nurse, by Friday 27 November 2026: repeat the HbA1c',
  },
  {
    kind: 'A safety note, shared',
    who: 'Beryl Barraclough 1949-09-29',
    live: (life) =>
      life.refer({ safety_notes: 'There is a large dog at the house.', safety_notes_for_practice: true }),
    action: 'Reception, at once: safety note on the record. A clinician sees it within 2 working days',
  },
  {
    kind: 'Episode that goes on',
    who: 'Cyril Dewhirst 1946-06-06',
    live: (life) => life.refer({ episode: 'continuing' }),
    code: noNewCode,
  },
  {
    kind: 'Two referrals of one day',
    who: 'Dorothy Eastwood 1952-02-02',
    live: async (life) => {
      await life.refer();
      await life.refer({ gp_actions: [] }, 'debt');
    },
    action: 'Reception: file it beside the other letter',
    code: `${referralCode}, once: not if the record has it for that day`,
  },
];
