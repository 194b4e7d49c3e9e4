import {
  badBody,
  callAgainIn,
  databaseUnreachableAdvice,
  exampleOrigin,
  jsonAdvice,
} from '../../platform/http/index.ts';
import { allProblems } from '../../platform/problem/index.ts';

export type Refusal = {
  name: string;
  description: string;
  /** It means the same everywhere, so operations do not describe it. */
  isSameEverywhere?: true;
  codes?: readonly string[];
  headers?: readonly string[];
};

/** The codes with which most calls with a token may refuse a key or an address. */
const ofTokens = ['insufficient-scope', 'address-not-allowed'];

/** Nobody works with a restricted or an erased referral. */
const unusableCodes = ['referral-restricted', 'referral-erased'];

/** How a call is refused, by status: each answer is described once, and the operations refer to it. */
export const refusals: Readonly<Record<number, Refusal>> = {
  400: {
    name: 'BadRequest',
    isSameEverywhere: true,
    description: 'The request does not have the right form; `errors` says where.',
    codes: ['bad-request', 'invalid-token-request'],
  },
  401: {
    name: 'Unauthorized',
    isSameEverywhere: true,
    description: 'The token is missing, or it is not valid.',
    codes: ['missing-token', 'invalid-token'],
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The account or the key may not do this.',
    codes: ['forbidden', ...ofTokens],
  },
  404: {
    name: 'NotFound',
    isSameEverywhere: true,
    description: 'There is no such thing, or it is not yours to see.',
    codes: ['not-found'],
  },
  409: {
    name: 'Conflict',
    description: 'That is not possible as things are.',
    codes: ['wrong-state', ...unusableCodes],
  },
  410: { name: 'Gone', description: 'It is no longer kept.', codes: ['events-gone'] },
  412: {
    name: 'VersionStale',
    isSameEverywhere: true,
    description: 'It has changed since you read it.',
    codes: ['version-stale'],
    headers: ['ETag'],
  },
  413: {
    name: 'TooLarge',
    description: badBody[413],
    codes: ['too-large'],
  },
  415: {
    name: 'UnsupportedMediaType',
    description: badBody[415],
    codes: ['unsupported-media-type'],
  },
  422: {
    name: 'Unprocessable',
    description: 'A value cannot be used; `errors` says which and why.',
    codes: ['unprocessable'],
  },
  428: {
    name: 'VersionMissing',
    isSameEverywhere: true,
    description: 'If-Match is missing.',
    codes: ['version-missing'],
  },
  429: {
    name: 'TooManyRequests',
    isSameEverywhere: true,
    description:
      'Too many calls came from the account or its network, or an NHS number was sent with too many names or birth dates. Wait for as many seconds as Retry-After says.',
    codes: ['too-many-requests'],
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  503: {
    name: 'Unavailable',
    isSameEverywhere: true,
    description:
      'The site cannot answer just now, as when its database is being restarted. Wait for as many seconds as Retry-After says.',
    codes: ['unavailable'],
    headers: ['Retry-After'],
  },
};

/** Any call may be refused so, if something is wrong with the site. */
export const siteFailures = ['internal-error'];

const submitCodes = {
  409: ['possible-duplicate', 'person-mismatch', 'death-reported', 'still-in-progress'],
  422: ['cannot-refer', 'risk-not-acted-on', 'does-not-fit', 'refers-themselves', 'idempotency-key-reused'],
};
const statusActionCodes = { 409: ['wrong-state', ...unusableCodes] };
const additionCodes = {
  409: ['still-in-progress', 'wrong-state', ...unusableCodes],
  422: ['unprocessable', 'idempotency-key-reused'],
};
const readActionCodes = { 409: unusableCodes };
/** System accounts are no people. */
const forPeople = { 403: ['forbidden', 'needs-person', ...ofTokens] };
const recordActionCodes = { 409: ['wrong-state', 'referral-held', ...unusableCodes] };
const worklistCodes = { 409: ['nothing-to-do', ...unusableCodes] };

type Codes = Readonly<Record<number, readonly string[]>>;

/**
 * The codes of an operation by status, if they differ from those of the shared answer. The tests check every answer
 * against them.
 */
const codesOfOperation: Readonly<Record<string, Codes>> = {
  listEvents: { 400: ['bad-request', 'unknown-event', 'invalid-token-request'] },
  replayWebhook: { 400: ['bad-request', 'unknown-event', 'invalid-token-request'] },
  refreshToken: { 401: ['invalid-refresh-token'], 403: ['api-access-disabled', 'address-not-allowed'] },
  getTokenStatus: { 403: ['address-not-allowed'] },
  createService: { 409: ['service-exists'] },
  deleteService: { 409: ['service-has-referrals'] },
  setServiceReferralSettings: { 409: ['no-mail-server'] },
  setPracticeChannels: { 409: ['no-mail-server'] },
  createServiceList: { 409: ['list-name-taken', 'too-many-lists'] },
  renameServiceList: { 409: ['list-name-taken'] },
  saveServiceOnList: { 409: ['list-full'] },
  // A repeated request may be about a referral that nobody may use any more.
  createReferral: { ...submitCodes, 409: [...submitCodes[409], ...unusableCodes] },
  rerouteReferral: { ...submitCodes, 409: [...submitCodes[409], 'wrong-state', ...unusableCodes] },
  changeDraft: { ...statusActionCodes, 422: ['cannot-refer', 'unprocessable'] },
  // A draft is sent once, so this call takes no Idempotency-Key.
  requestReferral: {
    409: ['possible-duplicate', 'person-mismatch', 'death-reported', 'wrong-state', ...unusableCodes],
    422: ['cannot-refer', 'risk-not-acted-on', 'does-not-fit', 'refers-themselves'],
  },
  transferReferral: { 409: ['wrong-state', ...unusableCodes], 422: ['unprocessable', 'does-not-fit'] },
  correctReferral: {
    409: ['wrong-state', 'person-mismatch', ...unusableCodes],
    422: ['unprocessable', 'refers-themselves', 'cannot-refer', 'does-not-fit'],
  },
  sendMessage: additionCodes,
  attachFile: additionCodes,
  removeAttachment: { ...readActionCodes, 422: ['unprocessable'] },
  listChanges: readActionCodes,
  listMessages: readActionCodes,
  getMessage: readActionCodes,
  listAttachments: readActionCodes,
  getAttachment: readActionCodes,
  openReferral: { ...readActionCodes, ...forPeople },
  // With the reason `died`.
  cancelReferral: forPeople,
  failReferral: forPeople,
  confirmDeath: forPeople,
  undoDeath: forPeople,
  confirmChange: forPeople,
  dismissPrompt: forPeople,
  markServiceChecked: forPeople,
  getReferralLetter: { 409: ['wrong-state', ...unusableCodes] },
  restrictReferral: recordActionCodes,
  unrestrictReferral: recordActionCodes,
  eraseReferral: recordActionCodes,
  placeLegalHold: recordActionCodes,
  liftLegalHold: recordActionCodes,
  retryDelivery: worklistCodes,
  sendDeliveryAnotherWay: worklistCodes,
  markDeliveryDone: worklistCodes,
  assignDelivery: worklistCodes,
  moveTimeOn: { 409: ['no-story'] },
  addWebhook: { 409: ['too-many-webhooks'] },
  getCopiedRecord: { 409: ['copy-not-reviewed'] },
  retryLooseEnd: { 409: ['cannot-be-retried'] },
  closeLooseEnd: { 409: ['message-not-read'] },
};

/** What decides which codes a call may be refused with. */
export type CallFacts = { takesToken: boolean; hasScope: boolean; needsRole: boolean };

/** The codes with which a call may be refused with this status. */
export function codesOf(
  operationId: string,
  status: number,
  { takesToken, hasScope, needsRole }: CallFacts,
  routeDescribesStatus: boolean,
): readonly string[] {
  const own = codesOfOperation[operationId]?.[status];
  if (own) return own;
  if (status === 400 && !takesToken) return ['bad-request'];
  // If any role may make the call, 403 can only be about the key or the IP address, unless the route says more.
  if (status === 403 && hasScope && !needsRole && !routeDescribesStatus) return ofTokens;
  return refusals[status]?.codes ?? [];
}

/** Such as PossibleDuplicate for possible-duplicate. */
const nameOf = (code: string) => code.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

/**
 * The answer among the components for a refusal with these codes: the one that all calls share for this status, or one of its own
 * if its first code is another, since the example shows the first code.
 */
export function refusalFor(status: number, [first = '', ...others]: readonly string[]): Refusal {
  const ofStatus = refusals[status];
  if (!ofStatus) throw new Error(`nothing describes refusals with ${status}`);
  if (ofStatus.codes![0] === first) return ofStatus;
  const kind = kindOf(first);
  const isRetriedLater = [first, ...others].includes('still-in-progress');
  return {
    name: nameOf(first),
    description: `${kind.title}.`,
    codes: [first, ...others],
    headers: [...(ofStatus.headers ?? []), ...(isRetriedLater ? ['Retry-After'] : [])],
  };
}

const kindOf = (code: string) => allProblems().find(({ type }) => type === code)!;

/** Every code that the API may answer with. */
export function allCodes(): string[] {
  const lists = [
    ...Object.values(refusals).map(({ codes }) => codes ?? []),
    ...Object.values(codesOfOperation).flatMap((byStatus) => Object.values(byStatus)),
    siteFailures,
    // For an address with other methods.
    ['method-not-allowed'],
  ];
  return [...new Set(lists.flat())].sort();
}

// The platform's own problems, whose words depend on the route. A test sends the calls that get them, and compares.

const details: Readonly<Record<string, string>> = {
  forbidden: 'This is for referrer accounts.',
  'too-large': 'Send at most one megabyte.',
  'too-many-requests': callAgainIn(12),
  unavailable: databaseUnreachableAdvice,
  unprocessable: 'See `errors` for what to change.',
  'unsupported-media-type': jsonAdvice,
  'version-missing':
    'Send the header If-Match with the ETag of the referral as you last read it, such as "1".',
  'version-stale': 'Read the referral again, then decide again.',
};

const errors: Readonly<Record<string, readonly object[]>> = {
  'bad-request': [{ pointer: '/patient/birth_date', message: 'must be a date such as 1950-12-31' }],
  unprocessable: [{ pointer: '/expected_date', message: 'must not be in the past' }],
};

/** What some codes add. */
const extras: Readonly<Record<string, object>> = {
  'events-gone': { oldest_id: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0' },
  'risk-not-acted-on': { emergency_number: '999', safeguarding_contact: null },
  'does-not-fit': { service_telephone: null, misfits: ['mXk2Uq0sB7oZVb1cGf5t9A'] },
  'death-reported': {
    reference: '7K3QF-XW29D',
    referral_id: '01a1fc72-4adf-7a4a-aa65-fc267c41c863',
    reported_at: '2026-11-20T10:00:00.000Z',
  },
  'possible-duplicate': { reference: '7K3QF-XW29D', referral_id: '01a1fc72-4adf-7a4a-aa65-fc267c41c863' },
};

/** What a refusal with this code looks like. */
export function exampleOfRefusal(code: string): object {
  const { title, status, detail = title, exampleDetail, exampleErrors } = kindOf(code);
  const shownErrors = exampleErrors ?? errors[code];
  return {
    type: `${exampleOrigin}/problems/${code}`,
    title,
    status,
    code,
    detail: details[code] ?? exampleDetail ?? detail,
    request_id: '_TG-p5C7QKFy-1b7',
    ...(shownErrors && { errors: shownErrors }),
    ...extras[code],
  };
}
