import {
  because,
  bloods,
  codesOnly,
  inhaler,
  type LetterKind,
  painkillers,
  undoReferralCode,
} from './letter-kind.ts';

const done = (more: object = {}) => ({
  outcome: { code: 'goals-met', text: 'Sings in the choir every week, and has made two friends.' },
  gp_actions: [],
  ...more,
});
const pairs = (before: number, after: number) => [
  { code: 'ons4-life-satisfaction', stage: 'start', value: 3 },
  { code: 'ons4-life-satisfaction', stage: 'end', value: 7 },
  { code: 'ons4-anxiety', stage: 'start', value: before },
  { code: 'ons4-anxiety', stage: 'end', value: after },
];

/** Letters about an end: none brings a code, unless it says otherwise. */
export const endings: readonly LetterKind[] = [
  {
    kind: 'Completed, goals and measures, nothing asked',
    who: 'Vera Ashworth 1951-11-21',
    live: async (life) => {
      await life.refer({ goals: [{ text: 'To sing again' }, { text: 'To go out alone' }] });
      await life.started();
      await life.wait(80);
      await life.correct({
        goals: [
          { text: 'To sing again', result: 'achieved' },
          { text: 'To go out alone', result: 'partly' },
        ],
      });
      await life.service('complete', done({ outcome: { ...done().outcome, measures: pairs(8, 3) } }));
    },
  },
  {
    kind: 'Completed, one task',
    who: 'William Beaumont 1956-12-16',
    live: async (life) => {
      await life.refer();
      await life.started();
      await life.wait(80);
      await life.service('complete', done({ gp_actions: [painkillers] }));
    },
    action: 'GP or nurse, by Friday 15 January 2027: review his painkillers',
  },
  {
    kind: 'Completed, one task from before and a new one',
    who: 'Albert Clegg 1950-05-15',
    live: async (life) => {
      await life.refer({ gp_actions: [{ ...bloods, by_date: '2027-01-29' }] });
      await life.started();
      await life.wait(80);
      await life.service('complete', done({ gp_actions: [painkillers] }));
    },
    action:
      'GP or nurse: review his painkillers by Friday 15 January 2027 (new); repeat the HbA1c by Friday 29 January 2027 (asked already)',
  },
  {
    kind: 'Completed, a measure is worse',
    who: 'Bessie Denton 1944-04-24',
    live: async (life) => {
      await life.refer();
      await life.started();
      await life.wait(80);
      await life.service(
        'complete',
        done({ outcome: { code: 'goals-not-met', text: 'She came twice.', measures: pairs(3, 9) } }),
      );
    },
    action: 'A clinician sees it within 2 working days',
  },
  {
    kind: 'Completed, a task about a symptom, no day',
    who: 'Clara Eccles 1957-10-07',
    live: async (life) => {
      await life.refer();
      await life.started();
      await life.wait(80);
      await life.service(
        'complete',
        done({
          gp_actions: [
            { text: 'See her about a lump in her breast.', asked_by: 'Jo Hall', patient_told: true },
          ],
        }),
      );
    },
    action: 'GP or nurse, start today: see her about a lump in her breast',
  },
  {
    kind: 'Completed, with files',
    who: 'Donald Fielden 1948-08-28',
    live: async (life) => {
      await life.refer();
      await life.attach('housing', { scanned: true });
      await life.attach('benefits', { scanned: false });
      await life.started();
      await life.wait(80);
      await life.service('complete', done());
    },
  },
  {
    kind: 'Completed, and then a measure',
    who: 'Ethel Greenwood 1942-02-12',
    live: async (life) => {
      await life.refer({ gp_actions: [{ ...inhaler, by_date: '2027-01-22' }] });
      await life.started();
      await life.wait(80);
      await life.service('complete', done());
      await life.service('measures', {
        measures: [
          { code: 'ons4-anxiety', stage: 'start', value: 6, by: 'person' },
          { code: 'ons4-anxiety', stage: 'end', value: 4, by: 'person' },
        ],
      });
      await life.newsIsTold();
    },
    action: 'GP or nurse, by Friday 22 January 2027: review her inhaler technique (asked already)',
  },
  {
    kind: 'Completed by a link, without an account',
    who: 'Frank Holroyd 1953-03-13',
    live: async (life) => {
      await life.refer({}, 'walks');
      await life.byLink([
        { step: 'contact', contact_kind: 'telephone', reached: 'yes' },
        { step: 'start' },
        { step: 'complete', outcome_code: 'goals-met', outcome_text: 'He walks each week.', gp_needed: 'no' },
      ]);
      await life.referrer('confirm-ending');
    },
  },
  {
    kind: 'Completed, codes only',
    who: 'Gladys Iveson 1955-05-05',
    live: async (life) => {
      await life.refer(codesOnly);
      await life.started();
      await life.wait(80);
      await life.service('complete', done());
    },
    action: 'Reception, at once: hide online; note on the record',
  },
  {
    kind: 'Completed, hidden online, a task',
    who: 'Hannah Jessop 1968-08-18',
    live: async (life) => {
      await life.refer({ do_not_show_online: true });
      await life.started();
      await life.wait(80);
      await life.service(
        'complete',
        done({ gp_actions: [{ ...painkillers, text: 'Review her painkillers: they make her drowsy.' }] }),
      );
    },
    action: 'Reception, at once: hide online. GP or nurse, by Friday 15 January 2027: review her painkillers',
  },
  {
    kind: 'Declined: no room',
    who: 'Isaac Kilner 1959-09-19',
    live: async (life) => {
      await life.refer();
      await life.wait(2);
      await life.service('reject', because('no-capacity', 'We are full until spring.'));
    },
  },
  {
    kind: 'Declined: not eligible, a task is open',
    who: 'Jessie Littlewood 1946-06-26',
    live: async (life) => {
      await life.refer({ gp_actions: [inhaler] });
      await life.wait(2);
      await life.service('reject', because('not-eligible', 'She needs one-to-one support.'));
    },
    action: 'GP or nurse, by Friday 30 October 2026: review her inhaler technique (asked already)',
  },
  {
    kind: 'Declined: out of area',
    who: 'Kevin Mallinson 1971-01-11',
    live: async (life) => {
      await life.refer();
      await life.wait(2);
      await life.service('reject', because('out-of-area', 'He lives outside our area.'));
    },
  },
  {
    kind: 'Declined: nobody reached the patient',
    who: 'Lily Newsome 1941-11-01',
    live: async (life) => {
      await life.refer();
      await life.wait(2);
      await life.service('reject', because('failed-contact', 'I rang three times.'));
    },
    action: 'A clinician decides today whether to contact her',
  },
  {
    kind: 'Declined: something is missing',
    who: 'Maurice Oates 1943-03-03',
    live: async (life) => {
      await life.refer();
      await life.wait(2);
      await life.service('reject', because('missing-information', 'No address was given.'));
    },
  },
  {
    kind: 'Declines social prescribing altogether',
    who: 'Nora Pogson 1940-10-30',
    live: async (life) => {
      await life.refer();
      await life.wait(2);
      await life.service(
        'reject',
        because('client-declined', 'She wants no help of this kind.', { declines_social_prescribing: true }),
      );
    },
    code: 'File 871711000000103, dated 9 September 2026',
  },
  {
    kind: 'Declined: another reason',
    who: 'Oswald Rushworth 1961-06-11',
    live: async (life) => {
      await life.refer();
      await life.wait(2);
      await life.service('reject', because('other', 'The group has closed.'));
    },
  },
  {
    kind: 'Closed: nobody answered',
    who: 'Phyllis Shackleton 1938-08-08',
    live: async (life) => {
      await life.refer();
      await life.nobodyAnswers();
    },
  },
  {
    kind: 'Ended: moved away',
    who: 'Robert Thornton 1969-09-29',
    live: async (life) => {
      await life.refer();
      await life.started();
      await life.service('fail', because('moved-away', 'He has moved to Leeds.'));
    },
    action: 'Reception: check the address',
  },
  {
    kind: 'Ended: contact failed after the start',
    who: 'Sarah Womersley 1986-06-06',
    live: async (life) => {
      await life.refer();
      await life.started();
      await life.service('fail', because('failed-contact', 'She does not answer.'));
    },
    action: 'A clinician decides today whether to contact her',
  },
  {
    kind: 'Cancelled by the referrer',
    who: 'Tom Wrigley 1974-04-04',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.referrer('cancel', because('needs-met-otherwise', 'His sister helps him now.'));
    },
  },
  {
    kind: 'Agreement to the referral was taken back',
    who: 'Annie Booth 1972-02-22',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.service('agreement-changed', { referral: false, share_with_gp: true });
    },
  },
  {
    kind: 'Died',
    who: 'Bernard Cawthra 1932-12-02',
    live: async (life) => {
      await life.refer({ gp_actions: [bloods] });
      await life.started();
      await life.service('died', { told_by: 'His daughter', date: '2026-09-13' });
      await life.referrer('died/confirm');
    },
    action: 'GP or nurse, at once: check whether the patient is alive',
  },
  {
    kind: 'Died, by mistake',
    who: 'Cissie Dawson 1934-04-14',
    live: async (life) => {
      await life.refer();
      await life.started();
      await life.service('died', { told_by: 'A neighbour' });
      await life.referrer('died/confirm');
      await life.wait(1);
      await life.service('died/undo');
    },
    action:
      'At once: Reception gives it to a clinician and marks letter 2 as wrong; GP or nurse takes the death out of the record',
  },
  {
    kind: 'In error: another person was meant',
    who: 'Dennis Exley 1958-05-18',
    live: async (life) => {
      await life.refer();
      await life.wait(1);
      await life.referrer('withdraw-as-error', because('wrong-person', 'Another Dennis was meant.'));
    },
    action: 'Reception, at once: remove letter 1, then confirm',
    code: undoReferralCode,
  },
  {
    kind: 'In error: sent twice, a task was asked',
    who: 'Ellen Feather 1963-03-13',
    live: async (life) => {
      await life.refer({ gp_actions: [inhaler] });
      await life.refer({ gp_actions: [inhaler], allow_duplicate: true });
      await life.wait(1);
      await life.referrer('withdraw-as-error', because('sent-twice', 'It was sent twice.'));
    },
    action:
      'At once: show a clinician, stop the inhaler review unless the other letter asks for it, then remove letter 1; keep the other letter; confirm',
    code: 'Leave 871731000000106, dated 7 September 2026, once. If it is there twice, mark one as entered in error',
  },
  {
    kind: 'In error, after two letters',
    who: 'Freda Gaukroger 1959-09-09',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.correct({ patient: { telephone: '01632 960779' } });
      await life.referrer('withdraw-as-error', because('wrong-service', 'Another service was meant.'));
    },
    action: 'Reception, at once: remove letters 1 and 2, then confirm',
    code: undoReferralCode,
  },
  {
    kind: 'In error, codes only',
    who: 'Gordon Hinchliffe 1947-07-07',
    live: async (life) => {
      await life.refer(codesOnly);
      await life.wait(1);
      await life.referrer('withdraw-as-error', because('other', 'A mistake.'));
    },
    action: 'Reception, at once: remove letter 1, then confirm',
    code: undoReferralCode,
  },
];
