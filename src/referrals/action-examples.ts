import type { Action } from './state-machine.ts';

/** What the reference shows as the body of each action. */
export const actionExamples: Readonly<Record<Action, object>> = {
  accept: {},
  reject: { status_reason: { code: 'no-capacity', text: 'The group is full until January.' } },
  start: {},
  hold: {
    status_reason: { code: 'no-capacity', text: 'The choir has room for new singers after Easter.' },
    expected_date: '2027-04-05',
  },
  'change-wait': {
    status_reason: { code: 'no-capacity', text: 'Nobody left the choir; the next places come in summer.' },
    expected_date: '2027-06-28',
  },
  complete: {
    outcome: {
      code: 'goals-met',
      text: 'She joined the choir and goes every week.',
      measures: [
        { code: 'ons4-life-satisfaction', stage: 'start', value: 3 },
        { code: 'ons4-life-satisfaction', stage: 'end', value: 7 },
      ],
    },
  },
  fail: { status_reason: { code: 'failed-contact', text: 'Four calls and two letters were not answered.' } },
  cancel: { status_reason: { code: 'client-declined', text: 'She would rather stay at home for now.' } },
  'withdraw-as-error': { status_reason: { code: 'other', text: 'It was meant for another person.' } },
};
