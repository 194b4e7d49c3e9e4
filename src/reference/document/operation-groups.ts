/**
 * The groups of the reference page: who needs which calls. A call that is not named here is in the group of its tag.
 */
export type OperationGroup = {
  id: string;
  title: string;
  about: string;
  tags?: readonly string[];
  operations?: readonly string[];
};

export const operationGroups: readonly OperationGroup[] = [
  {
    id: 'start-here',
    title: 'Start here',
    about: 'The nine calls that a GP practice’s system needs.',
    operations: [
      'getSite',
      'refreshToken',
      'getTokenStatus',
      'searchServices',
      'getService',
      'createReferral',
      'getReferral',
      'cancelReferral',
      'listEvents',
    ],
  },
  {
    id: 'referrers',
    title: 'For referrers',
    about: 'Make referrals, follow them, and write to the service.',
    tags: ['Referrals', 'Practices'],
  },
  {
    id: 'services',
    title: 'For services',
    about: 'Answer referrals, and keep what the library says about your service up to date.',
    operations: [
      'acceptReferral',
      'rejectReferral',
      'startReferral',
      'holdReferral',
      'changeWait',
      'completeReferral',
      'failReferral',
      'transferReferral',
      'logContact',
      'bookAppointment',
      'cancelAppointment',
      'createService',
      'replaceService',
      'deleteService',
      'setServiceCapacity',
      'markServiceChecked',
      'getServiceReferralSettings',
      'setServiceReferralSettings',
      'makeServiceWebhookSecret',
    ],
  },
  {
    id: 'library',
    title: 'Finding services',
    about: 'The library, in the form of Open Referral UK (HSDS 3.0), and saved lists.',
    tags: ['Library', 'Saved lists'],
  },
  {
    id: 'events',
    title: 'Events and webhooks',
    about: 'Learn what happened.',
    tags: ['Webhooks', 'Tokens'],
  },
  {
    id: 'operators',
    title: 'For operators',
    about: 'Undelivered messages, people’s records, and the figures of a period.',
    tags: ['Deliveries', 'Reports'],
    operations: [
      'setPracticeChannels',
      'openReferral',
      'listOpenings',
      'restrictReferral',
      'unrestrictReferral',
      'eraseReferral',
      'placeLegalHold',
      'liftLegalHold',
      'exportPatientRecord',
      'getRecordCopy',
      'getCopiedRecord',
    ],
  },
  {
    id: 'test-site',
    title: 'Simulator',
    about: 'Simulate the answers of services and GP practices, play failures, and move time on.',
    tags: ['Simulator'],
  },
];

/** @returns the group of a call: that which names it, else that of its tag. */
export function groupOf(operationId: string, tags: readonly string[]): OperationGroup {
  const named = operationGroups.find(({ operations }) => operations?.includes(operationId));
  const found = named ?? operationGroups.find((group) => group.tags?.some((tag) => tags.includes(tag)));
  if (!found) throw new Error(`${operationId} is in no group of the reference: see operation-groups.ts`);
  return found;
}
