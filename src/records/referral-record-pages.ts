import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type FormErrors, readFields, successBanner } from '../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { requireReason } from '../platform/reason.ts';
import {
  eraseReferral,
  erasureRefusedInWords,
  heldInWords,
  holdReferral,
  liftHold,
  putOffErasure,
  type ReferralDeps,
  readRecordState,
  restrictReferral,
  statusInWords,
  unrestrictReferral,
} from '../referrals/index.ts';
import {
  chosenGround,
  enteredValues,
  groundChoices,
  readRecordForm,
  recordFormErrors,
} from './record-form.ts';

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
        config: page(access, { needsRecentSignIn: true, returnTo: '/operator/patients/referrals/:id' }),
        schema: { hide: true, params, body: anyForm },
      },
      async (request, reply) => {
        const { id: referralId } = request.params;
        try {
          const form = readRecordForm(name, request.body);
          const { ask_first: askFirst } = readFields(request.body, ['ask_first']);
          if (name === 'erase' && askFirst === 'yes') {
            // Otherwise a reason that says nothing is refused only after “Erase for good”.
            requireReason(form.reason);
            return await askBeforeErasing(deps, request, reply, referralId);
          }
          await run(deps, requireCaller(request), { referralId, ...form, ipAddress: request.ip });
          const path = `/operator/patients/referrals/${encodeURIComponent(referralId)}`;
          return reply.redirect(done.path(path, doneCode), 303);
        } catch (error) {
          if (!(error instanceof Problem) || ![409, 422].includes(error.kind.status)) throw error;
          const errors = recordFormErrors(error);
          reply.code(error.kind.status);
          return show(deps, request, reply, referralId, { errors, tried: name });
        }
      },
    );
  }
}

/** Asks first, because nothing takes an erasure back. Its form sends the same fields again. */
async function askBeforeErasing(deps: Deps, request: Request, reply: Reply, id: string): Promise<Reply> {
  const record = await readRecordState(deps, requireCaller(request), { id, ipAddress: request.ip });
  const values = enteredValues(request.body);
  return deps.pages.send(request, reply, 'records/templates/confirm-erasure.njk', {
    referral: record.referral,
    status: statusInWords(record.referral.status, record.referral.status_reason),
    values,
    ground: chosenGround(values),
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
    erasureGrounds: groundChoices,
    erasureRefusedInWords,
    values: enteredValues(request.body),
  });
}
