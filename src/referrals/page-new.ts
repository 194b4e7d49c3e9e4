import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { findServiceForReferral, nobodyAnswers, type ServiceForReferral } from '../library/index.ts';
import { readForm } from '../platform/html/index.ts';
import { type App, page, type Request, signedIn } from '../platform/http/index.ts';
import { isUuid, newId } from '../platform/ids/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { choosePractice } from './choose-practice.ts';
import type { ReferralDeps } from './deps.ts';
import { draftInputOf } from './draft-input.ts';
import { draftInput, practiceProblem, showForm, wholeInput } from './form-page.ts';
import { keepUnseen } from './keep-unseen.ts';
import type { DraftInput } from './new-referral-schema.ts';
import { stillInProgress } from './problems.ts';
import { readReferral } from './read-referral.ts';
import { requireUsable } from './records/usable.ts';
import type { Referral } from './referral.ts';
import { referralDone } from './referral-done.ts';
import { emptyReferralForm, formOf, readReferralForm } from './referral-form.ts';
import type { Submission } from './submission.ts';
import { submitReferral } from './submit-referral.ts';

type Deps = ReferralDeps & WebPlatform;

/** A form may be incomplete in every way and is then shown again, so hardly anything is asked of it here. */
const anyForm = Type.Object({}, { additionalProperties: true });
const querystring = Type.Object({
  service: Type.Optional(Type.String({ maxLength: 200 })),
  reroutes: Type.Optional(Type.String({ maxLength: 100 })),
});

/** The form that makes a referral, from nothing or in the place of one that came to nothing. */
export function newReferralPages(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));

  app.get('/referrals/new', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const id = request.query.service;
    if (!id) return reply.redirect('/services', 303);
    const service = await requireService(deps, id);
    const unanswered = deps.settings.mode === 'live' && (await nobodyAnswers(deps.db, service));
    if (!takesReferrals(service) || unanswered)
      return deps.pages.send(request, reply, 'referrals/templates/not-accepting.njk', { service });
    const reroutes = await readRerouted(deps, request, request.query.reroutes);
    const form = reroutes ? formOf(askedAnew(reroutes)) : emptyReferralForm;
    return showForm(deps, request, reply, {
      service,
      form,
      action: addressOf(service),
      key: newId(),
      reroutes,
    });
  });

  app.post('/referrals/new', { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const names = ['service', 'idempotency_key', 'find_practice', 'save_draft', 'reroutes'] as const;
    const sent = readForm(request.body, names);
    const form = readReferralForm(request.body);
    const service = await requireService(deps, sent.service);
    const key = isUuid(sent.idempotency_key) ? sent.idempotency_key : newId();
    const practice = await choosePractice(deps.db, form);
    const reroutes = await readRerouted(deps, request, sent.reroutes);
    const filled = { service, form, key, practice, action: addressOf(service), reroutes };
    if (sent.find_practice !== '') return showForm(deps, request, reply, filled, practiceProblem(practice));
    try {
      const isDraft = sent.save_draft !== '';
      const typed = isDraft ? draftInput(deps, filled) : wholeInput(deps, filled);
      const kept = reroutes ? keepUnseen(typed, askedAnew(reroutes)) : typed;
      const input = { ...kept, ...(isDraft && { status: 'draft' }) } as Submission['input'];
      const { id } = await submitOnce(deps, request, { input, address: request.ip, idempotencyKey: key });
      return reply.redirect(referralDone.path(`/referrals/${id}`, isDraft ? 'draft' : 'sent'), 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return showForm(deps, request, reply, filled, error);
    }
  });
}

/** The address keeps what it is about, so that a page that was sent with mistakes can be opened afresh. */
function addressOf({ id }: ServiceForReferral): string {
  return `/referrals/new?service=${encodeURIComponent(id)}`;
}

/**
 * The referral whose place the new one takes, for somebody of the organisation that made it.
 * @throws Problem `not-found`, `referral-restricted`, `referral-erased`.
 */
async function readRerouted(deps: Deps, request: Request, id = ''): Promise<Referral | undefined> {
  if (id === '') return undefined;
  const { referral, sides } = await readReferral(deps, requireCaller(request), id, request.ip);
  if (!sides.includes('referrer') || referral.requested_at === null) throw new Problem(notFound);
  requireUsable(referral);
  return referral;
}

/** What is known of the person and their reasons; that they agreed to one service says nothing of another. */
function askedAnew(referral: Referral): DraftInput {
  const { consent: _, ...input } = draftInputOf(referral);
  return { ...input, reroutes: referral.id };
}

async function requireService({ db }: Deps, id: string): Promise<ServiceForReferral> {
  const service = id === '' ? undefined : await findServiceForReferral(db, id);
  if (!service) throw new Problem(notFound);
  return service;
}

function takesReferrals({ status, accepts, channels }: ServiceForReferral): boolean {
  return status === 'active' && accepts && channels.length > 0;
}

/** A double click sends the form twice; the second waits for the first, and then leads to the same referral. */
async function submitOnce(deps: Deps, request: Request, submission: Submission) {
  const caller = requireCaller(request);
  for (let patience = 20; ; patience--) {
    try {
      return await submitReferral(deps, caller, submission);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== stillInProgress || patience === 0) throw error;
      await sleep(250);
    }
  }
}
