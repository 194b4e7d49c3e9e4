import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import {
  type FormErrors,
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
  putOffErasure,
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
  restricted: 'The referral is restricted.',
  unrestricted: 'The restriction was lifted.',
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
    { config: page(access, { freshSignIn: true }), schema: { hide: true, params, querystring } },
    (request, reply) =>
      show(deps, request, reply, request.params.id, { done: done.words(request.query.done) }),
  );
  for (const [name, { run, doneCode }] of Object.entries(actions)) {
    app.post(
      `/operator/patients/referrals/:id/${name}`,
      {
        config: page(access, { freshSignIn: true, returnTo: '/operator/patients' }),
        schema: { hide: true, params, body: anyForm },
      },
      async (request, reply) => {
        const { id: referralId } = request.params;
        try {
          const why = readWhy(request.body, name);
          await run(deps, requireCaller(request), { referralId, ...why, ipAddress: request.ip });
          const here = `/operator/patients/referrals/${encodeURIComponent(referralId)}`;
          return reply.redirect(done.path(here, doneCode), 303);
        } catch (error) {
          if (!(error instanceof Problem) || ![409, 422].includes(error.kind.status)) throw error;
          const errors = toFormErrors({ ground: 'The ground', reason: 'The reason' }, error);
          reply.code(error.kind.status);
          return show(deps, request, reply, referralId, { errors, tried: name });
        }
      },
    );
  }
}

/** @throws Problem `unprocessable`. */
function readWhy(body: unknown, action: string): { reason: string; ground?: ErasureGround } {
  const typed = readUntrimmedFields(body, ['reason', 'ground']);
  const reason = trimToUndefined(typed.reason) ?? '';
  const ground = Object.hasOwn(erasureGrounds, typed.ground) ? (typed.ground as ErasureGround) : undefined;
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

type PageState = { done?: string | undefined; errors?: FormErrors; tried?: string };

async function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  id: string,
  shown: PageState,
): Promise<Reply> {
  const state = await readRecordState(deps, requireCaller(request), { id, ipAddress: request.ip });
  return deps.pages.send(request, reply, 'records/templates/referral-record.njk', {
    ...state,
    ...shown,
    heldInWords,
    status: statusInWords(state.referral.status, state.referral.status_reason),
    erasureGrounds: Object.entries(erasureGrounds).map(([value, text]) => ({ value, text })),
    erasureRefusedInWords,
    values: readUntrimmedFields(request.body, ['reason', 'ground']),
  });
}
