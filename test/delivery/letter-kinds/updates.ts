import {
  because,
  bloods,
  codesOnly,
  inhaler,
  type LetterKind,
  referralCode,
  undoReferralCode,
  unsafe,
} from './letter-kind.ts';

/** Letters after a change, and about another referral instead: none brings a code, unless it says otherwise. */
export const updates: readonly LetterKind[] = [
  {
    kind: 'Accepted, then a new telephone number',
    who: 'Edna Farrar 1945-05-25',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.correct({ patient: { telephone: '01632 960777' } });
    },
    action: 'Reception: check the telephone number, 01632 960777',
  },
  {
    kind: 'Contact is no longer safe',
    who: 'Farah Ghani 1985-10-12',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.correct({ contact: unsafe, do_not_show_online: true });
    },
    action:
      'Reception, at once: hide both letters online, change the contact limits. A clinician sees it today',
  },
  {
    kind: 'Urgency raised',
    who: 'George Haigh 1957-07-27',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.correct({ urgency: 'urgent' });
    },
    action: 'A clinician sees it today and decides whether to act',
  },
  {
    kind: 'Safety note changed',
    who: 'Hilda Ingham 1937-11-02',
    live: async (life) => {
      await life.refer({ safety_notes: 'There is a dog.', safety_notes_for_practice: true });
      await life.accepted();
      await life.correct({
        safety_notes: 'There are two dogs, and one bites.',
        reason: 'She has another dog.',
      });
    },
    action: 'Reception, at once: safety note on the record. A clinician sees it within 2 working days',
  },
  {
    kind: 'Wrong practice: the notice to it',
    who: 'Ivy Jowett 1942-12-22',
    live: async (life) => {
      await life.refer({ gp_actions: [inhaler] });
      await life.correct({ gp_practice: { ods_code: 'Z99003' } });
    },
    action:
      'At once: Reception checks if this is their patient. If not, shows a clinician, then removes letter 1',
    code: undoReferralCode,
  },
  {
    kind: 'Wrong practice: the letter to the right one',
    who: 'Jack Kaye 1961-01-21',
    practice: 'Castle Hill Practice',
    live: async (life) => {
      await life.refer({ gp_actions: [bloods] });
      await life.correct({ gp_practice: { ods_code: 'Z99003' } });
    },
    action: 'GP or nurse, by Friday 27 November 2026: repeat the HbA1c',
    code: referralCode,
  },
  {
    kind: 'The first practice was right after all',
    who: 'Kath Lockwood 1956-06-16',
    live: async (life) => {
      await life.refer();
      await life.correct({ gp_practice: { ods_code: 'Z99003' } });
      await life.correct({ gp_practice: { ods_code: 'Z99002' } });
    },
    action: 'Reception: keep this letter, ignore the notice',
    code: `${referralCode}, once`,
  },
  {
    kind: 'Hidden online from now on',
    who: 'Linda Marsden 1963-03-23',
    live: async (life) => {
      await life.refer({ gp_actions: [inhaler] });
      await life.accepted();
      await life.correct({ do_not_show_online: true });
    },
    action:
      'Reception, at once: hide both letters online. GP or nurse, by Friday 30 October 2026: review her inhaler technique',
  },
  {
    kind: 'From now on codes only',
    who: 'Mavis Noble 1954-04-14',
    live: async (life) => {
      await life.refer({ gp_actions: [inhaler] });
      await life.accepted();
      await life.service('agreement-changed', { share_with_gp: 'codes_only' });
    },
    action:
      'Reception, at once: hide the letters online. GP or nurse, today: ring Asha Patel if letter 1 asks for anything',
  },
  {
    kind: 'From codes only to the whole',
    who: 'Norman Ogden 1967-07-17',
    live: async (life) => {
      await life.refer({ ...codesOnly, gp_actions: [bloods] });
      await life.accepted();
      await life.referrer('agreement-changed', { share_with_gp: true });
    },
    action: 'GP or nurse, by Friday 27 November 2026: repeat the HbA1c. Reception: delete the note',
  },
  {
    kind: 'Things have changed',
    who: 'Olive Priestley 1933-03-13',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.service('things-have-changed', { text: 'Her son has moved in with her.' });
      await life.correct({ patient: { telephone: '01632 960778' } });
    },
    action:
      'GP or nurse, by Monday 21 September 2026: ring Jo Hall and ask. Reception, at once: hide online, contact limits',
  },
  {
    kind: 'Things have changed, urgent',
    who: 'Percy Ramsden 1947-07-27',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.service('things-have-changed', { text: 'He was evicted today.', urgency: 'urgent' });
    },
    action: 'GP or nurse, today: ring Jo Hall and ask. Reception, at once: hide online, contact limits',
  },
  {
    kind: 'Things have changed, a crisis',
    who: 'Queenie Senior 1958-08-18',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.service('things-have-changed', {
        text: 'She says that she wants to kill herself.',
        urgency: 'urgent',
      });
    },
    action: 'Now: a clinician rings Jo Hall, then decides. Reception, at once: hide online, contact limits',
  },
  {
    kind: 'Waiting list, then a new address',
    who: 'Rita Taylor 1965-05-15',
    live: async (life) => {
      await life.refer();
      await life.accepted();
      await life.service('hold', {
        ...because('no-capacity', 'The choir is full until spring.'),
        expected_date: '2027-01-11',
      });
      await life.correct({
        patient: { address: { lines: ['7 Weaver Row', 'Sarrowby'], postcode: 'ZT1 4AB' } },
      });
    },
    action: 'Reception: check the address',
  },
  {
    kind: 'Started, then other needs',
    who: 'Sidney Umpleby 1952-12-12',
    live: async (life) => {
      await life.refer({ gp_actions: [bloods] });
      await life.started();
      await life.correct({
        patient: { communication_needs: { format: 'large print' } },
        reasonable_adjustments: ['hearing'],
      });
    },
    action:
      'GP or nurse, by Friday 27 November 2026: repeat the HbA1c (asked already). Reception: needs on the record',
  },
  {
    kind: 'Transferred to another service',
    who: 'Thelma Verity 1949-01-19',
    live: async (life) => {
      await life.refer({ gp_actions: [bloods] });
      await life.accepted();
      await life.transfer('painting', 'She would rather paint than sing.');
    },
    action: 'GP or nurse, by Friday 27 November 2026: repeat the HbA1c (asked already)',
  },
  {
    kind: 'Declined, then referred elsewhere',
    who: 'Una Walshaw 1960-10-20',
    live: async (life) => {
      await life.refer();
      await life.wait(2);
      await life.service('reject', because('no-capacity', 'We are full until spring.'));
      await life.reroute('debt');
    },
  },
];
