import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import {
  type FormErrors,
  readFields,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
  trimToUndefined,
} from '../platform/html/index.ts';
import {
  type App,
  anyForm,
  describeErrors,
  page,
  type Reply,
  type Request,
  signedIn,
  validatorOf,
} from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import {
  type ErasureGround,
  eraseReferral,
  erasureGrounds,
  erasureRefusedInWords,
  heldInWords,
  holdReferral,
  liftHold,
  momentFromField,
  putOffErasure,
  type RecordChangeRequest,
  type ReferralDeps,
  readRecordState,
  reasonSchema,
  restrictReferral,
  statusInWords,
  unrestrictReferral,
} from '../referrals/index.ts';

type Deps = ReferralDeps & WebPlatform;

const actions = {
  restrict: { run: restrictReferral, doneCode: 'restricted' },
  unrestrict: { run: unrestrictReferral, doneCode: 'unrestricted' },
  erase: { run: eraseReferral, doneCode: 'erased' },
  'put-off-erasure': { run: putOffErasure, doneCode: 'put-off' },
  'legal-hold': { run: holdReferral, doneCode: 'held' },
  'lift-legal-hold': { run: liftHold, doneCode: 'hold-lifted' },
} as const;

const done = successBanner({
  restricted: 'The referral is restricted. Lift it here once its reason is over.',
  unrestricted: 'The restriction was lifted. Both sides work with it again.',
  erased: 'What the referral said was erased.',
  'put-off': 'The record is kept for another year.',
  held: 'The referral is on legal hold.',
  'hold-lifted': 'The legal hold was lifted.',
});
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const querystring = Type.Object({ done: done.query });
const formSchema = Type.Object({ reason: reasonSchema });

/** The page on which a referral is restricted, held, and erased. */
export function referralRecordPages(app: App, deps: Deps): void {
  const access = signedIn('operator');
  app.get(
    '/operator/patients/referrals/:id',
    { config: page(access, { needsRecentSignIn: true }), schema: { hide: true, params, querystring } },
    (request, reply) =>
      show(deps, request, reply, request.params.id, { done: done.words(request.query.done) }),
  );
  for (const [name, { run, doneCode }] of Object.entries(actions)) {
    app.post(
      `/operator/patients/referrals/:id/${name}`,
      {
        config: page(access, { needsRecentSignIn: true, returnTo: '/operator/patients' }),
        schema: { hide: true, params, body: anyForm },
      },
      async (request, reply) => {
        const { id: referralId } = request.params;
        try {
          const form = { ...readReason(name, request.body), ...readWhoWasTold(name, request.body) };
          const { ask_first: askFirst } = readFields(request.body, ['ask_first']);
          if (name === 'erase' && askFirst === 'yes')
            return await askBeforeErasing(deps, request, reply, referralId);
          await run(deps, requireCaller(request), { referralId, ...form, ipAddress: request.ip });
          const path = `/operator/patients/referrals/${encodeURIComponent(referralId)}`;
          return reply.redirect(done.path(path, doneCode), 303);
        } catch (error) {
          if (!(error instanceof Problem) || ![409, 422].includes(error.kind.status)) throw error;
          const errors = toFormErrors(labels, withFieldsOfPage(error));
          reply.code(error.kind.status);
          return show(deps, request, reply, referralId, { errors, tried: name });
        }
      },
    );
  }
}

const labels = {
  told_who: 'The name',
  told_at: 'The time',
  ground: 'The ground',
  reason: 'The reason',
} as const;

/** The field of the page for each field of the action. */
const fieldsOfPage: Readonly<Record<string, string>> = {
  '/service_told/who_was_told': '/told_who',
  '/service_told/when': '/told_at',
  '/told/who_was_told': '/told_who',
  '/told/when': '/told_at',
};

function withFieldsOfPage({ kind, detail, errors = [] }: Problem): Problem {
  const pageErrors = errors.map((each) => ({ ...each, pointer: fieldsOfPage[each.pointer] ?? each.pointer }));
  return new Problem(kind, detail, { errors: pageErrors });
}

/** What the form says if nobody was named. */
const missingNameMessages = {
  restrict: 'Tell a person at the service first, and enter who it was',
  erase: 'Tell somebody who will deal with what is open, and enter who',
} as const;

/**
 * Reads whom the operator told, and when: at the service before a restriction, or about what is open before an erasure.
 * @throws Problem `unprocessable` if only one of the two is entered.
 */
function readWhoWasTold(
  action: string,
  body: unknown,
): Pick<RecordChangeRequest, 'service_told' | 'told' | 'mustTellService'> {
  if (action === 'erase') {
    const notice = readTold(body, missingNameMessages.erase);
    return notice ? { told: notice } : {};
  }
  if (action !== 'restrict') return {};
  return { service_told: readTold(body, missingNameMessages.restrict), mustTellService: true };
}

/** @returns undefined if both fields are empty. */
function readTold(body: unknown, missingNameMessage: string): RecordChangeRequest['told'] {
  const form = readUntrimmedFields(body, ['told_who', 'told_at']);
  const who_was_told = trimToUndefined(form.told_who);
  const when = trimToUndefined(form.told_at);
  if (who_was_told === undefined && when === undefined) return undefined;
  const moment = momentFromField(when ?? '');
  const errors = [
    ...(who_was_told === undefined ? [{ pointer: '/told_who', message: missingNameMessage }] : []),
    ...(who_was_told !== undefined && who_was_told.length > 200
      ? [{ pointer: '/told_who', message: 'Use 200 characters or fewer' }]
      : []),
    ...(moment === undefined
      ? [{ pointer: '/told_at', message: 'Enter the day and time when you told them' }]
      : []),
  ];
  if (who_was_told === undefined || moment === undefined || errors.length > 0)
    throw new Problem(unprocessable, undefined, { errors });
  return { who_was_told, when: moment };
}

/** Reads the reason, and for an erasure its ground. @throws Problem `unprocessable`. */
function readReason(action: string, body: unknown): { reason: string; ground?: ErasureGround } {
  const form = readUntrimmedFields(body, ['reason', 'ground']);
  const reason = trimToUndefined(form.reason) ?? '';
  const ground = Object.hasOwn(erasureGrounds, form.ground) ? (form.ground as ErasureGround) : undefined;
  const [error] = describeErrors(validatorOf(formSchema).Errors({ reason }), '');
  const errors = [
    ...(action === 'erase' && !ground
      ? [{ pointer: '/ground', message: 'Select why it may be erased' }]
      : []),
    ...(error ? [{ pointer: '/reason', message: reason === '' ? 'Enter a reason' : error.message }] : []),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return { reason, ...(ground && { ground }) };
}

const enteredFields = ['reason', 'ground', 'told_who', 'told_at'] as const;

/** Asks first, because nothing takes an erasure back. Its form sends the same fields again. */
async function askBeforeErasing(deps: Deps, request: Request, reply: Reply, id: string): Promise<Reply> {
  const record = await readRecordState(deps, requireCaller(request), { id, ipAddress: request.ip });
  const values = readUntrimmedFields(request.body, enteredFields);
  return deps.pages.send(request, reply, 'records/templates/confirm-erasure.njk', {
    referral: record.referral,
    status: statusInWords(record.referral.status, record.referral.status_reason),
    values,
    ground: erasureGrounds[values.ground as ErasureGround],
    stillOpen: record.stillOpen,
  });
}

type PageState = { done?: string | undefined; errors?: FormErrors; tried?: string };

async function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  id: string,
  state: PageState,
): Promise<Reply> {
  const record = await readRecordState(deps, requireCaller(request), { id, ipAddress: request.ip });
  return deps.pages.send(request, reply, 'records/templates/referral-record.njk', {
    ...record,
    ...state,
    heldInWords,
    status: statusInWords(record.referral.status, record.referral.status_reason),
    erasureGrounds: Object.entries(erasureGrounds).map(([value, text]) => ({ value, text })),
    erasureRefusedInWords,
    values: readUntrimmedFields(request.body, enteredFields),
  });
}
