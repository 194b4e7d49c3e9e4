import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { fieldError } from '../../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { unprocessable } from '../../../platform/problem/index.ts';
import { removalReasons } from '../../conversation/removal-reasons.ts';
import { deskState, findQuestionnaireDesk } from '../../model/after-acceptance/questionnaire-desks-store.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { findServiceTelephone } from '../../model/person/fit.ts';
import { isUsable } from '../../model/status/usable.ts';
import { serviceErrors } from '../../submit/checks/library-lookups.ts';
import { riskHelp } from '../../submit/checks/require-risk-acted-on.ts';
import { findFormService } from '../form/form-service.ts';
import { missingAnswers, readStoredForm } from '../form/read-draft.ts';
import type { FormErrors } from '../form-errors.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import { emptyActionForm } from './action-form.ts';
import { backAndNextLinks, listSuffix, workAfter } from './list-links.ts';
import { type FullReferral, readFullReferral } from './view/full-referral.ts';
import { referralView } from './view/referral-view.ts';

type Done = Parameters<typeof referralSuccess.path>[1];

/** The part of the page beside which a success message stands. Left out, it stands at the top. */
const partOf: { readonly [Code in Done]?: string } = {
  message: 'messages',
  answered: 'messages',
  question: 'messages',
  file: 'files',
  'file-unscanned': 'files',
  'file-removed': 'files',
  reached: 'contacts',
  'reached-waiting': 'contacts',
  'not-reached': 'contacts',
  appointment: 'contacts',
  'appointment-cancelled': 'contacts',
  measure: 'measures',
  questionnaire: 'measures',
  'page-sent': 'person-page',
  'page-ended': 'person-page',
  'gp-action': 'gp-actions',
  assigned: 'team',
  unassigned: 'team',
  note: 'team',
  reminder: 'team',
  'reminder-removed': 'team',
};

/** After these, somebody who works through a list goes on to the next referral. */
const leadOn: readonly Done[] = [
  'accept',
  'reject',
  'hold',
  'start',
  'complete',
  'fail',
  'cancel',
  'withdraw-as-error',
  'seen-to',
  'answered',
  'question',
  'transferred',
];

/** After these, the message also says whose turn it is: on a phone, the panel that says so is further down. */
const saysTurn: readonly Done[] = ['accept', 'start', 'reached', 'decline-undone', 'transferred'];

/** Where a form of the page leads to: the page, at its success message. The list that somebody came from is kept. */
export function pathAfter(request: Pick<Request, 'query'>, id: string, done: Done): string {
  const suffix = listSuffix(request);
  const anchor = partOf[done] === undefined ? '' : '#done';
  return referralSuccess.path(referralPagePath(id), done) + suffix.replace('?', '&') + anchor;
}

/** A form of the page that was refused, with what was typed and its errors. */
export type RefusedForm = {
  status: number;
  values: Record<string, string>;
  errors: FormErrors;
  /** Which form: an action, or the name of the form’s main field. */
  tried: string;
};

/** A form that is refused for one of its fields. */
export function refusedField(name: string, text: string, values: Record<string, string> = {}): RefusedForm {
  return { status: unprocessable.status, values, errors: fieldError(name, text), tried: name };
}

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
// Other rooms may add their own parameters to a link.
const querystring = Type.Object(
  { done: referralSuccess.query, open: Type.Optional(Type.Enum(['message', 'contact'])) },
  { additionalProperties: true },
);

/** The page of one referral. */
export function singleReferralPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn(), { refusesPrefetch: true });
  app.get('/referrals/:id', { config, schema: { hide: true, params, querystring } }, (request, reply) =>
    showReferral(deps, request, reply, request.params.id, undefined, request.query),
  );
}

export async function showReferral(
  deps: ReferralDeps & WebPlatform,
  request: Request,
  reply: Reply,
  id: string,
  refused?: RefusedForm,
  { done, open }: { done?: Done; open?: 'message' | 'contact' } = {},
): Promise<Reply> {
  const full = await readFullReferral(deps, requireCaller(request), id, request.ip, 'all');
  if (refused) reply.code(refused.status);
  const desk = await findQuestionnaireDesk(deps.db, full.referral.referrerOrganisationId);
  const view = referralView(deps.settings, full);
  const words = referralSuccess.words(done);
  const part = done && partOf[done];
  const next = done && saysTurn.includes(done) ? { turn: view.turn, contact: view.contactNext } : undefined;
  return deps.pages.send(request, reply, 'referrals/pages/templates/referral/referral.njk', {
    ...(await backAndNextLinks(deps, requireCaller(request), request, id)),
    listSuffix: listSuffix(request),
    ...view,
    // The success message asks to telephone the service.
    ...(done === 'ending-undone' && { telephoneToRing: await numberOfService(deps, full) }),
    after:
      done && leadOn.includes(done)
        ? await workAfter(deps, requireCaller(request), request, { id: full.referral.id, sides: full.sides })
        : undefined,
    missing: view.isReferrer && view.mayAct ? await missingAnswersOf(deps, request, full) : undefined,
    // On paper, staff ask questionnaires also while the owner and the deputy are away.
    ...(!['on', 'away'].includes(deskState(desk, deps.clock.now())) && { questionnaires: [] }),
    crisisHelp: riskHelp(deps.settings),
    removalReasons: Object.entries(removalReasons).map(([value, text]) => ({ value, text })),
    opened: open,
    formToken: newId(deps.clock.now().getTime()),
    values: { ...emptyActionForm, ...refused?.values },
    errors: refused?.errors,
    tried: refused?.tried,
    ...(part === undefined ? { done: words, next } : { doneBeside: { part, words, next } }),
  });
}

/** None where the service is hidden from the reader. */
async function numberOfService(deps: ReferralDeps, { presented }: FullReferral): Promise<string | undefined> {
  const { service_id: id } = presented;
  return id === null ? undefined : inTransaction(deps.db, (trx) => findServiceTelephone(trx, id));
}

const otherServiceNeeded = {
  text: 'This service takes no referrals here now: find another one',
  href: '/services',
};

/** What a draft needs before it can be sent; undefined where that is not known, or it was sent. */
async function missingAnswersOf(
  deps: ReferralDeps & WebPlatform,
  request: Request,
  { referral, presented }: FullReferral,
) {
  if (referral.status !== 'draft' || !isUsable(referral) || presented.service_id === null) return undefined;
  const service = await findFormService(deps, request, presented.service_id);
  if (!service) return undefined;
  const answers = missingAnswers(deps, await readStoredForm(deps, referral, service));
  const isOpen = serviceErrors({ unattended: new Set() }, service).length === 0;
  return isOpen ? answers : [otherServiceNeeded, ...answers];
}
