import {
  type Action,
  type ActionBody,
  type Referral,
  reasonsOffered,
  type StatusReason,
} from '../../referrals/index.ts';

/** What the simulator makes happen to a referral of a made-up person. */
export type Story = {
  /** The last name that selects it. No real person has it. */
  readonly name: string;
  /** What happens, for pages and documents. */
  readonly description: string;
  /** What the service or an operator does, and how long after the referral. */
  readonly service: readonly { readonly afterHours: number; readonly act: PersonAct }[];
  /** What the GP practice's system answers to each message. */
  readonly practice?: 'confirms' | 'confirms-twice' | 'wrong-practice';
  /** How the sending of each message fails. */
  readonly sending?: 'bounces' | 'times-out';
  /** The story is about time passing, so it never happens at once. */
  readonly waitsForClock?: true;
};

const accept = (afterHours: number) => ({ afterHours, act: { action: 'accept', body: {} } as const });
const start = { afterHours: 24, act: { action: 'start', body: {} } as const };
const text = 'The simulator says so.';

const statusReason = (code: StatusReason['code']) => ({ status_reason: { code, text } });
const outcome = { code: 'goals-met', text: 'The simulator says that the person got what they hoped for.' };

const rejections = (reasonsOffered.provider.reject ?? []).map(
  (code): Story => ({
    name: `Rejected-${inTitleCase(code)}`,
    description: `The service declines the referral with the reason ${code}.`,
    service: [{ afterHours: 2, act: { action: 'reject', body: statusReason(code) } }],
  }),
);

/** In the order of the page. */
export const stories: readonly Story[] = [
  {
    name: 'Accepted',
    description: 'The service accepts the referral.',
    service: [accept(2)],
  },
  {
    name: 'Completed',
    description:
      'The whole loop: the service accepts, starts and completes, and the GP practice, if the referral names one, confirms both letters.',
    service: [accept(2), start, { afterHours: 7 * 24, act: { action: 'complete', body: { outcome } } }],
    practice: 'confirms',
  },
  ...rejections,
  {
    name: 'On-Hold',
    description: 'The service accepts, and puts the person on its waiting list.',
    service: [accept(2), { afterHours: 4, act: { action: 'hold', body: statusReason('no-capacity') } }],
  },
  {
    name: 'Failed',
    description: 'The service accepts and starts, and cannot help: failed-contact.',
    service: [
      accept(2),
      start,
      { afterHours: 7 * 24, act: { action: 'fail', body: statusReason('failed-contact') } },
    ],
  },
  {
    name: 'Closed',
    description: 'The service accepts and starts, and closes the referral without completing it: moved-away.',
    service: [
      accept(2),
      start,
      { afterHours: 7 * 24, act: { action: 'fail', body: statusReason('moved-away') } },
    ],
  },
  {
    name: 'Cancelled',
    description: 'The service accepts, and cancels before it has started: client-declined.',
    service: [
      accept(2),
      { afterHours: 3 * 24, act: { action: 'cancel', body: statusReason('client-declined') } },
    ],
  },
  {
    name: 'Waits-Longer',
    description:
      'The service accepts, and puts the person on its waiting list for four weeks. A week later it changes that to eight.',
    service: [
      accept(2),
      { afterHours: 4, act: { action: 'hold', body: statusReason('no-capacity'), expectedInDays: 28 } },
      {
        afterHours: 7 * 24,
        act: { action: 'change-wait', body: statusReason('no-capacity'), expectedInDays: 56 },
      },
    ],
  },
  {
    name: 'Writes-Back',
    description: 'The service accepts, attaches a PDF file and writes a message.',
    service: [
      accept(2),
      {
        afterHours: 3,
        act: { writes: 'We can see the person from Monday. Our leaflet is attached.', file: 'leaflet.pdf' },
      },
    ],
  },
  {
    name: 'Asks-For-More',
    description:
      'The service does not answer yet, and asks a question: a message, while the referral is requested.',
    service: [
      { afterHours: 2, act: { writes: 'Can the person come by bus? Please tell us, then we can answer.' } },
    ],
  },
  {
    name: 'Restricted',
    description:
      'The service accepts, and an operator restricts the referral: neither side reads it until an operator lifts that.',
    service: [accept(2), { afterHours: 24, act: { record: 'restricted' } }],
  },
  {
    name: 'Erased',
    description: 'The service declines the referral, and an operator erases what it says.',
    service: [
      { afterHours: 2, act: { action: 'reject', body: statusReason('client-declined') } },
      { afterHours: 24, act: { record: 'erased' } },
    ],
  },
  {
    name: 'Slow-Answer',
    description: 'The service accepts after eight days; the operator is warned after one day and after five.',
    service: [accept(8 * 24)],
    waitsForClock: true,
  },
  {
    name: 'Never-Answered',
    description:
      'Nobody answers: the operator is warned, and the site reminds the service and declines the referral, if it is set to.',
    service: [],
    waitsForClock: true,
  },
  {
    name: 'Acknowledged',
    description: 'The GP practice confirms every letter.',
    service: [],
    practice: 'confirms',
  },
  {
    name: 'Duplicate-Ack',
    description: 'The GP practice confirms every letter twice; the second time changes nothing.',
    service: [],
    practice: 'confirms-twice',
  },
  {
    name: 'Wrong-Practice',
    description: 'The GP practice says that the person is not its patient: the letter has failed.',
    service: [],
    practice: 'wrong-practice',
  },
  {
    name: 'Bounced',
    description:
      'Every message comes back, to the service as well: its delivery has failed, which the operator sees. If the operator sends it another way, it arrives.',
    service: [],
    sending: 'bounces',
  },
  {
    name: 'Time-Out',
    description:
      'Nobody can tell whether the messages arrived. They are uncertain for six hours, then received.',
    service: [],
    sending: 'times-out',
    waitsForClock: true,
  },
];

type ReferralOfStory = Pick<Referral, 'simulated' | 'service'> & {
  content: Pick<Referral['content'], 'patient'>;
};

/** The story of a referral: by the person's last name, or else by the service's name, as in “Walks (Accepted)”. */
export function storyOf({ simulated, content, service }: ReferralOfStory): Story | undefined {
  if (!simulated) return undefined;
  const [, ofService = ''] = /\(([^()]*)\)$/.exec(service.name) ?? [];
  return findStory(content.patient.family_name) ?? findStory(ofService);
}

/** With this first name, a story waits for the user to move its time on. With any other, all of it happens at once. */
export const laterFirstName = 'Later';

export function isPlayedByClock(story: Story, { content }: ReferralOfStory): boolean {
  return story.waitsForClock === true || simplify(content.patient.given_name) === simplify(laterFirstName);
}

/** Whether a last name chooses a story. */
export function isStoryName(familyName: string): boolean {
  return findStory(familyName) !== undefined;
}

function findStory(name: string): Story | undefined {
  const simple = simplify(name);
  return stories.find((story) => simplify(story.name) === simple);
}

function simplify(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '-');
}

function inTitleCase(code: string): string {
  return code.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** What the service does, as by the API. */
export type ServiceAct = {
  readonly action: Action;
  readonly body: ActionBody;
  /** After how many days the person is expected to be seen. */
  readonly expectedInDays?: number;
};

/** What the service writes, and the name of the file that it attaches. */
type WritingAct = { readonly writes: string; readonly file?: string };

/** What an operator does to the record. */
type RecordAct = { readonly record: 'restricted' | 'erased' };

type PersonAct = ServiceAct | WritingAct | RecordAct;

/** A report about a message that was sent. Test sites have stored it under `news`, so it keeps that name. */
export type ReportAct = { readonly news: keyof typeof reportWords };

export type Act = PersonAct | ReportAct;

/** The detail of the attempt that a report adds. */
export const reportWords = {
  acknowledged: 'The simulator confirmed it for the GP practice.',
  received: 'The simulator found out that it had arrived.',
  failed: 'The simulator sent it back for the GP practice: the person is not its patient.',
} as const;

const reportsToCome = {
  acknowledged: 'The GP practice confirms the letter',
  received: 'The message turns out to have arrived',
  failed: 'The GP practice says that the person is not its patient',
} as const;

const actionWords: Readonly<Record<Action, string>> = {
  accept: 'accepts the referral',
  reject: 'declines the referral',
  start: 'starts',
  hold: 'puts the person on the waiting list',
  'change-wait': 'changes the wait',
  complete: 'completes the referral',
  fail: 'closes the referral without completing it',
  cancel: 'cancels the referral',
  'withdraw-as-error': 'withdraws the referral',
};

const recordWords = {
  restricted: 'An operator restricts the referral',
  erased: 'An operator erases what the referral says',
} as const;

export function actInWords(act: Act): string {
  if ('news' in act) return reportsToCome[act.news];
  if ('writes' in act) return `The service writes${act.file ? ' and attaches a file' : ''}`;
  if ('record' in act) return recordWords[act.record];
  const reason = act.body.status_reason;
  return `The service ${actionWords[act.action]}${reason ? `: ${reason.code}` : ''}`;
}
