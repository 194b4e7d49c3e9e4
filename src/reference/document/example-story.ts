import { exampleOrigin } from '../../platform/http/index.ts';
import { actionExamples, referralExample } from '../../referrals/index.ts';

/**
 * The small story that the answers of the reference tell. On 21 November Rashid Referrer of Infirmary Lane Surgery refers Margaret
 * Example to Good Company befriending. Petra Provider of The Weir House Trust, which runs it, answers: each action’s answer shows the
 * referral as that action leaves it.
 */

const referral = referralExample;
const { id, reference } = referral;
const referrer = { name: 'Rashid Referrer', organisation: 'Infirmary Lane Surgery' };
const provider = { name: 'Petra Provider', organisation: 'The Weir House Trust' };
const [toService, toPractice] = referral.deliveries;

type Example = Record<string, unknown>;

const made: Example = {
  ...referral,
  seen: null,
  deliveries: referral.deliveries.map((each) => ({
    ...each,
    channel: null,
    status: 'queued',
    updated_at: referral.created_at,
  })),
};
const read: Example = referral;

const accepted: Example = {
  ...read,
  status: 'accepted',
  version: 2,
  updated_at: '2026-11-23T10:05:00.000Z',
  next_date: '2026-12-07',
};
const started: Example = {
  ...accepted,
  status: 'in-progress',
  version: 3,
  updated_at: '2026-12-01T14:00:00.000Z',
  next_date: '2027-03-01',
};
const onWaitingList: Example = {
  ...accepted,
  ...actionExamples.hold,
  status: 'on-hold',
  version: 3,
  updated_at: '2026-12-01T14:00:00.000Z',
  next_date: '2026-12-29',
};
const waitingLonger: Example = {
  ...onWaitingList,
  ...actionExamples['change-wait'],
  version: 4,
  updated_at: '2026-12-28T11:00:00.000Z',
  next_date: '2027-01-25',
};
const ended = { next_date: null };
const completed: Example = {
  ...started,
  ...ended,
  status: 'completed',
  version: 4,
  updated_at: '2027-02-15T15:30:00.000Z',
  outcome: actionExamples.complete.outcome,
  gp_actions: actionExamples.complete.gp_actions.map((action, index) => ({
    number: index + 1,
    ...action,
    asked_by_letter: true,
    status: 'open',
    done_by_hand: null,
  })),
};
const rejected: Example = {
  ...read,
  ...ended,
  ...actionExamples.reject,
  status: 'rejected',
  version: 2,
  updated_at: '2026-11-23T10:05:00.000Z',
};
const failed: Example = {
  ...started,
  ...ended,
  ...actionExamples.fail,
  status: 'failed',
  version: 4,
  updated_at: '2027-01-11T12:00:00.000Z',
};
const cancelled: Example = {
  ...read,
  ...ended,
  ...actionExamples.cancel,
  status: 'cancelled',
  version: 2,
  updated_at: '2026-11-22T16:20:00.000Z',
};
const sentByMistake: Example = {
  ...read,
  ...ended,
  ...actionExamples['withdraw-as-error'],
  status: 'entered-in-error',
  version: 2,
  updated_at: '2026-11-21T09:50:00.000Z',
};
const died: Example = {
  ...accepted,
  ...ended,
  status_reason: { code: 'died', text: 'The person has died.' },
  status: 'cancelled',
  version: 3,
  updated_at: '2026-11-24T09:00:00.000Z',
};
const corrected: Example = {
  ...read,
  version: 2,
  updated_at: '2026-11-21T11:15:00.000Z',
  urgency: 'urgent',
  patient: { ...referral.patient, telephone: '01632 960987' },
  due_at: '2026-11-24T17:00:00.000Z',
  next_date: '2026-11-24',
};
const draft: Example = {
  ...withoutContent(made),
  status: 'draft',
  version: 2,
  requested_at: null,
  due_at: null,
  next_date: null,
  deliveries: [],
  gp_practice: null,
  patient: { given_name: 'Margaret', family_name: 'Example' },
  reasons: referral.reasons,
};
const rerouted: Example = {
  ...made,
  id: '01a1fd1a-2c40-7a10-8b5e-4d3c2b1a0f9e',
  reference: 'M4T9C-Q2RWA',
  reroutes: id,
  service_id: '5b2a1783-6d04-4fee-aafe-fc1fb75aa868',
  service: { ...referral.service, name: 'The Wednesday Table lunch club' },
};

/** What a restricted or erased referral still says. */
function withoutContent(whole: Example): Example {
  const content = [
    'patient',
    'referrer',
    'reasons',
    'what_matters',
    'consent',
    'risk',
    'contact',
    'agreement',
    'outcome',
    'gp_actions',
    'safety_notes_for_practice',
  ];
  const left = Object.entries(whole).filter(([name]) => !content.includes(name));
  return { ...Object.fromEntries(left), status_reason: null };
}

const recordChanged = { updated_at: '2027-03-02T09:00:00.000Z' };

const event = {
  id: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
  type: 'referral.requested',
  version: 1,
  created_at: referral.created_at,
  resource: {
    type: 'referral',
    id,
    referral_id: id,
    href: `${exampleOrigin}/api/referrals/${id}`,
  },
};
const webhookId = '01a1fc72-51b3-7c58-8d1e-5e4f2a6b7c8d';
const message = {
  id: '01a1fc72-51aa-7b10-9c2e-3d4f5a6b7c8d',
  at: '2026-11-21T09:45:00.000Z',
  side: 'referrer',
  by: referrer,
  text: 'Would a morning suit her better?',
};
const file = {
  id: '01a1fc72-51ac-7d20-8a4f-6b7c8d9e0f1a',
  at: '2026-11-21T09:46:00.000Z',
  by: referrer,
  name: 'letter.pdf',
  media_type: 'application/pdf',
  size: 48_213,
  scanned: true,
  removed: null,
};
const removedFile = {
  ...file,
  name: 'A file that was removed',
  removed: {
    at: '2026-11-21T09:50:00.000Z',
    by: referrer,
    reason: { code: 'about-somebody-else', text: 'A letter for another patient.' },
  },
};
const line = { version: 1, at: referral.created_at, by: referrer, from: null, to: 'requested', reason: null };
const history = [
  line,
  { ...line, version: 2, at: accepted.updated_at, by: provider, from: 'requested', to: 'accepted' },
].map((each) => ({ ...each, kind: 'status', changes: null }));

const undelivered = {
  id: toPractice!.id,
  referral: { id, reference },
  leg: 'gp_practice',
  purpose: 'referral',
  recipient: 'Infirmary Lane Surgery',
  channel: 'document',
  status: 'failed',
  simulated: true,
  created_at: referral.created_at,
  updated_at: '2026-11-21T10:30:00.000Z',
  worklist: {
    kind: 'failed',
    reason: 'The practice sent it back: the patient is registered elsewhere.',
    escalated: false,
    opened_at: '2026-11-21T10:30:00.000Z',
    owner: null,
    closed_at: null,
    closed_as: null,
    closed_by: null,
    closing_words: null,
  },
};
const operator = { id: '01a1fc70-11aa-7c01-9d02-3e4f5a6b7c8d', name: 'Olwen Operator' };
const attempts = [
  {
    at: '2026-11-21T09:30:01.000Z',
    channel: 'document',
    outcome: 'sent',
    detail: 'Captured on /outbox, not sent: this is a test site.',
  },
];
const closedDelivery = (closed_as: string, closing_words: string | null) => ({
  ...undelivered,
  worklist: {
    ...undelivered.worklist,
    closed_at: '2026-11-21T11:00:00.000Z',
    closed_as,
    closed_by: operator,
    closing_words,
  },
});
const simulation = {
  referral_id: id,
  reference,
  status: 'completed',
  story: 'Completed',
  simulated: true,
  moved_on_seconds: 86_400,
  next: [],
  done: [{ at: '2026-11-21T09:30:02.000Z', what: 'The service accepts.', undone_because: null }],
};

/** What the call’s own example finds, from the postcode that it sends. */
const foundPage = {
  total_items: 1,
  total_pages: 1,
  page_number: 1,
  size: 1,
  first_page: true,
  last_page: true,
  empty: false,
  place: { latitude: 54.04832, longitude: -2.1453, precision: 'postcode' },
  contents: [
    {
      id: referral.service_id,
      organization_id: referral.service.organization_id,
      name: referral.service.name,
      description: 'A trained volunteer visits you at home for about an hour a week.',
      status: 'active',
      last_modified: '2026-05-22T17:40:46Z',
      organization: { id: referral.service.organization_id, name: referral.service.organization_name },
      distance_metres: 520,
      in_service_area: true,
    },
  ],
};

const page = <Item>(items: readonly Item[]) => ({ items, next_cursor: null });

/** The answers of the story, by the names that their examples have in the document, and the calls that give them. */
const storyAnswers: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['ServicesFound', foundPage, ['searchServices']],
  ['ReferralMade', made, ['createReferral']],
  ['ReferralSent', { ...made, version: 3 }, ['requestReferral']],
  ['Draft', draft, ['changeDraft']],
  ['ReferralRerouted', rerouted, ['rerouteReferral']],
  ['ReferralAccepted', accepted, ['acceptReferral']],
  ['ReferralRejected', rejected, ['rejectReferral']],
  [
    'ReferralResolved',
    {
      ...rejected,
      seen_to: { at: '2026-11-24T09:30:00.000Z', by: { name: referrer.name } },
      updated_at: '2026-11-24T09:30:00.000Z',
    },
    ['seeToReferral'],
  ],
  ['ReferralStarted', started, ['startReferral']],
  ['ReferralOnHold', onWaitingList, ['holdReferral']],
  ['ReferralWaitingLonger', waitingLonger, ['changeWait']],
  ['ReferralCompleted', completed, ['completeReferral', 'unrestrictReferral', 'liftLegalHold']],
  ['ReferralFailed', failed, ['failReferral']],
  ['ReferralCancelled', cancelled, ['cancelReferral']],
  ['ReferralWithdrawn', sentByMistake, ['withdrawReferral']],
  ['ReferralCorrected', corrected, ['correctReferral']],
  ['DeathConfirmed', died, ['confirmDeath']],
  ['DeathUndone', { ...accepted, version: 4, updated_at: '2026-11-24T11:00:00.000Z' }, ['undoDeath']],
  [
    'GpActionDone',
    {
      ...completed,
      updated_at: '2027-02-20T09:00:00.000Z',
      gp_actions: (completed.gp_actions as object[]).map((action) => ({
        ...action,
        status: 'done_by_hand',
        done_by_hand: { at: '2027-02-20T09:00:00.000Z', by: { name: referrer.name } },
      })),
    },
    ['closeGpAction'],
  ],
  [
    'ReferralRestricted',
    { ...withoutContent(completed), ...recordChanged, restricted: true },
    ['restrictReferral'],
  ],
  ['ReferralHeld', { ...completed, ...recordChanged, held: true }, ['placeLegalHold']],
  [
    'ReferralErased',
    {
      ...withoutContent(completed),
      ...recordChanged,
      gp_practice: null,
      erased_at: recordChanged.updated_at,
    },
    ['eraseReferral'],
  ],
  ['ReferralHistory', page(history), ['getReferralHistory']],
  ['Messages', page([message]), ['listMessages']],
  ['MessageSent', message, ['sendMessage', 'getMessage']],
  ['Files', page([file]), ['listAttachments']],
  ['FileAttached', file, ['attachFile']],
  ['FileRemoved', removedFile, ['removeAttachment']],
  [
    'Deliveries',
    page([
      {
        ...toService,
        practice: undefined,
        practice_code: undefined,
        may_have_arrived: undefined,
        detail: null,
        simulated: true,
        superseded: false,
        attempts: [
          {
            at: toService!.updated_at,
            outcome: 'received',
            detail: 'Captured on /outbox, not sent: this is a test site.',
          },
        ],
        created_at: referral.created_at,
      },
    ]),
    ['listDeliveries'],
  ],
  ['UndeliveredMessages', page([undelivered]), ['listDeliveriesToSeeTo']],
  ['UndeliveredMessage', { ...undelivered, attempts }, ['getDelivery']],
  [
    'DeliveryTriedAgain',
    { ...closedDelivery('retried', null), status: 'queued', attempts },
    ['retryDelivery'],
  ],
  [
    'DeliverySentAnotherWay',
    { ...closedDelivery('another-way', null), channel: 'email', status: 'queued', attempts },
    ['sendDeliveryAnotherWay'],
  ],
  [
    'DeliveryDoneByHand',
    { ...closedDelivery('by-hand', 'Read it to them on the telephone.'), attempts },
    ['markDeliveryDone'],
  ],
  [
    'DeliveryAssigned',
    { ...undelivered, worklist: { ...undelivered.worklist, owner: operator }, attempts },
    ['assignDelivery'],
  ],
  [
    'Openings',
    page([
      {
        id: '01a1fc73-0001-7a10-8b5e-4d3c2b1a0f9e',
        at: '2026-11-21T12:00:00.000Z',
        ends_at: '2026-11-21T13:00:00.000Z',
        by: { name: operator.name },
        reason: 'The service rang: it cannot read the address. Ticket 311.',
      },
    ]),
    ['listOpenings'],
  ],
  ['Events', { ...page([event]), latest_id: event.id }, ['listEvents']],
  [
    'TestEvent',
    {
      ...event,
      id: '01a1fc73-1111-7f02-b3c4-d5e6f7a8b9c0',
      type: 'webhook.test',
      resource: {
        type: 'webhook',
        id: webhookId,
        referral_id: null,
        href: `${exampleOrigin}/api/webhooks/${webhookId}`,
      },
    },
    ['testWebhook'],
  ],
  [
    'WebhookAttempts',
    {
      items: [
        {
          event: { id: event.id, type: event.type },
          at: '2026-11-21T09:30:01.000Z',
          outcome: 'delivered',
          status: 204,
          detail: 'It answered 204.',
        },
      ],
      next_cursor: '1041',
    },
    ['listWebhookAttempts'],
  ],
  ['EventsReplayed', { queued: 3, next_after: null }, ['replayWebhook']],
  [
    'NewSecret',
    { secret: 'whsec_…', previous_secret_until: '2026-11-22T09:30:00.000Z' },
    ['rotateWebhookSecret'],
  ],
  ['Simulations', page([simulation]), ['listSimulations']],
  ['TimeMovedOn', simulation, ['moveTimeOn']],
];

/** The answer of a call in the story, and the name of its example; undefined for a call that has no part in it. */
export function storyOf(operationId: string): { name: string; value: unknown } | undefined {
  const answer = storyAnswers.find(([, , operations]) => operations.includes(operationId));
  return answer && { name: answer[0], value: answer[1] };
}
