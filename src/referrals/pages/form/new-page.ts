import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { findServiceForReferral, isUnattended, type ServiceForReferral } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Request, signedIn } from '../../../platform/http/index.ts';
import { isUuid, newId } from '../../../platform/ids/index.ts';
import { compact } from '../../../platform/objects.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import type { ListedReferral } from '../../listing/list-referrals.ts';
import { readReferral } from '../../listing/read-referral.ts';
import { searchReferrals } from '../../listing/search-referrals.ts';
import { requireKnownService } from '../../model/access/hidden-services.ts';
import {
  asReferrerEntered,
  listSensitiveDetails,
  withoutReplacedWays,
} from '../../model/access/referrers-details.ts';
import { idempotencyKeyReused, stillInProgress } from '../../model/problems.ts';
import type { Referral } from '../../model/referral.ts';
import type { DraftInput, NewReferral } from '../../model/schemas/new-referral.ts';
import { requireUsable } from '../../model/usable.ts';
import { changeDraft, draftInputOf, inputForReroute, sendDraft } from '../../submit/drafts.ts';
import type { Submission } from '../../submit/submissions.ts';
import type { SubmitDeps } from '../../submit/submit-referral.ts';
import { referralDone } from '../referral/referral-page.ts';
import { autosaveNewForm, findSavedDraft } from './autosave.ts';
import { choosePractice, findOwnPractice } from './choose-practice.ts';
import { earlierPath, sentStatuses } from './earlier-page.ts';
import {
  askRightPerson,
  practiceProblem,
  readCompleteForm,
  readDraftForm,
  showForm,
  warnOfMisfit,
} from './form-page.ts';
import { emptyReferralForm, formOf, keepHiddenFields, readReferralForm } from './referral-form.ts';

type Deps = SubmitDeps & WebPlatform;

const querystring = Type.Object({
  service: Type.Optional(Type.String({ maxLength: 200 })),
  reroutes: Type.Optional(Type.String({ maxLength: 100 })),
  postcode: Type.Optional(Type.String({ maxLength: 50 })),
  age: Type.Optional(Type.String({ maxLength: 10 })),
  /** An earlier referral: of the same person, or to be made again as a whole. */
  person: Type.Optional(Type.String({ maxLength: 100 })),
  again: Type.Optional(Type.String({ maxLength: 100 })),
});

/** The form for a new referral, also for one that replaces an unsuccessful referral. */
export function newReferralPages(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));

  app.get('/referrals/new', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const { service: id, postcode = '', age } = request.query;
    if (!id) return reply.redirect('/services', 303);
    const service = await requireService(deps, id);
    const unattended = deps.settings.mode === 'live' && (await isUnattended(deps.db, service));
    if (!acceptsReferrals(service) || unattended)
      return deps.pages.send(request, reply, 'referrals/pages/templates/form/not-accepting.njk', { service });
    const rerouted = await readRerouteForm(deps, request, request.query.reroutes);
    const copied = rerouted ? undefined : await readCopied(deps, request, request.query);
    const known = rerouted ?? copied;
    const empty = known ? formOf(known.input) : { ...emptyReferralForm, postcode };
    // Somebody at home or at the practice may read the copy, so nobody sends one without choosing that.
    const form = service.sensitive ? { ...empty, share_with_gp: 'no' } : empty;
    return showForm(deps, request, reply, {
      service,
      form,
      action: addressOf(service),
      key: newId(),
      age,
      practice: await choosePractice(deps, form),
      earlierPath: known ? undefined : earlierPath(service),
      ...copied,
      ...rerouted,
    });
  });

  app.post('/referrals/new', { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const names = ['service', 'idempotency_key', 'find_practice', 'save_draft', 'reroutes'] as const;
    const { right_person, change, autosave } = readUntrimmedFields(request.body, [
      'right_person',
      'change',
      'autosave',
    ]);
    const sent = readUntrimmedFields(request.body, names);
    const form = readReferralForm(request.body);
    const service = await requireService(deps, sent.service);
    const key = isUuid(sent.idempotency_key) ? sent.idempotency_key : newId();
    const own = await findOwnPractice(deps, requireCaller(request));
    const practice = await choosePractice(deps, form, { ownCode: own?.odsCode });
    const rerouted = await readRerouteForm(deps, request, sent.reroutes);
    const filled = { service, form, key, practice, action: addressOf(service), ...rerouted };
    if (autosave !== '')
      return autosaveNewForm(deps, request, reply, {
        service,
        form,
        practice,
        key,
        replaced: rerouted?.input,
      });
    if (sent.find_practice !== '') return showForm(deps, request, reply, filled, practiceProblem(practice));
    if (change !== '') return showForm(deps, request, reply, filled);
    try {
      const isDraft = sent.save_draft !== '';
      const typed = isDraft ? readDraftForm(deps, filled) : readCompleteForm(deps, filled);
      if (!isDraft && right_person !== 'yes') {
        await warnOfMisfit(deps, service, typed as NewReferral);
        return askRightPerson(deps, request, reply, filled);
      }
      const kept = rerouted ? keepHiddenFields(typed, rerouted.input) : typed;
      const input = { ...kept, ...(isDraft && { status: 'draft' }) } as Submission['input'];
      const caller = requireCaller(request);
      const referral =
        (await useSavedDraft(deps, request, { key, input: kept as DraftInput, isDraft })) ??
        (await submitAndWait(deps, { caller, input, ipAddress: request.ip, idempotencyKey: key })).referral;
      return reply.redirect(referralDone.path(`/referrals/${referral.id}`, isDraft ? 'draft' : 'sent'), 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return showForm(deps, request, reply, filled, error);
    }
  });
}

/** The address names the service, so that a form that came back with errors can be reloaded. */
function addressOf({ id }: ServiceForReferral): string {
  return `/referrals/new?service=${encodeURIComponent(id)}`;
}

/** The referral that the new one replaces, and what the form begins with. */
type RerouteForm = {
  reroutes: Referral;
  input: DraftInput;
  /** Staff of a sensitive service changed how the person is reached, and the form has what the referrer’s side had entered. */
  mustAskHowToReach: boolean;
};

async function readRerouteForm(deps: Deps, request: Request, id = ''): Promise<RerouteForm | undefined> {
  if (id === '') return undefined;
  const { referral, input, mustAskHowToReach } = await readWhole(deps, request, id);
  return {
    reroutes: referral,
    input: { ...withoutAnswers(input), reroutes: referral.id },
    mustAskHowToReach,
  };
}

/** What the form begins with if it is for a person whom the organisation referred before. */
type Copied = Omit<RerouteForm, 'reroutes'> & {
  copiedFrom: Referral;
  copiedAll: boolean;
  /** The organisation’s newest referral of the same person, if it is another one: its details may be newer. */
  newest: ListedReferral['referral'] | undefined;
};

async function readCopied(
  deps: Deps,
  request: Request,
  { person = '', again = '' }: { person?: string; again?: string },
): Promise<Copied | undefined> {
  if (person === '' && again === '') return undefined;
  const { referral, input, mustAskHowToReach } =
    again === '' ? await readEarlier(deps, request, person) : await readWhole(deps, request, again);
  const { patient, gp_practice, ...rest } = withoutAnswers(input);
  const copiedAll = again !== '';
  return {
    copiedFrom: referral,
    copiedAll,
    newest: await findNewest(deps, request, referral),
    input: compact({ patient, gp_practice, ...(copiedAll && rest) }) as DraftInput,
    mustAskHowToReach,
  };
}

/** What has to be asked each time has no answer yet: safe contact, a page of their own, urgency, and what the practice may know. */
function withoutAnswers({
  contact: _contact,
  person_page: _page,
  urgency: _urgency,
  safety_notes_for_practice: _forPractice,
  patient,
  ...input
}: DraftInput): DraftInput {
  const { carer, ...person } = patient ?? {};
  const { share_with_gp: _share, ...ofCarer } = carer ?? {};
  return { ...input, patient: { ...person, ...(carer && { carer: ofCarer }) } } as DraftInput;
}

async function findNewest(
  deps: Deps,
  request: Request,
  { id, content }: Referral,
): Promise<Copied['newest']> {
  const { family_name, birth_date, nhs_number } = content.patient;
  const { items } = await searchReferrals(
    deps,
    requireCaller(request),
    { family_name, birth_date, nhs_number },
    { direction: 'made', statuses: sentStatuses, limit: 1, cursor: undefined, ipAddress: request.ip },
  );
  const newest = items[0]?.referral;
  return newest?.id === id ? undefined : newest;
}

/**
 * An earlier referral of the caller’s organisation, without what was asked for its service alone.
 * @throws Problem `not-found` for anybody but the referrer, `referral-restricted`, `referral-erased`.
 */
async function readEarlier(deps: Deps, request: Request, id: string) {
  const { referral, sides } = await readReferral(deps, requireCaller(request), id, request.ip);
  if (!sides.includes('referrer') || referral.requested_at === null) throw new Problem(notFound);
  requireUsable(referral);
  const mustAskHowToReach = (await listSensitiveDetails(deps.db, referral)).length > 0;
  const entered = mustAskHowToReach ? withoutReplacedWays(asReferrerEntered(referral)) : referral;
  const { reroutes: _, contact, ...rest }: DraftInput = inputForReroute(entered);
  const input: DraftInput = { ...rest, ...(contact && !mustAskHowToReach && { contact }) };
  return { referral, input, mustAskHowToReach };
}

/**
 * The same, to refer for the same reasons: a colleague first gives a reason to know what was asked of a restricted service.
 * @throws Problem also `forbidden`
 */
async function readWhole(deps: Deps, request: Request, id: string) {
  const earlier = await readEarlier(deps, request, id);
  const view = { caller: requireCaller(request), referral: earlier.referral };
  await inTransaction(deps.db, (trx) => requireKnownService(trx, view));
  return earlier;
}

async function requireService({ db }: Deps, id: string): Promise<ServiceForReferral> {
  const service = id === '' ? undefined : await findServiceForReferral(db, id);
  if (!service) throw new Problem(notFound);
  return service;
}

function acceptsReferrals({ status, accepts, channels }: ServiceForReferral): boolean {
  return status === 'active' && accepts && channels.length > 0;
}

/**
 * The form has saved itself, and the answer was lost: then it is about that draft, so that none is left beside the referral. Undefined
 * where there is no such draft.
 */
async function useSavedDraft(
  deps: Deps,
  request: Request,
  { key, input: { allow_duplicate: allowDuplicate, ...input }, isDraft }: FilledInput,
): Promise<{ id: string } | undefined> {
  const caller = requireCaller(request);
  const saved = await findSavedDraft(deps, caller, key);
  if (!saved) return undefined;
  const { referral } = await readReferral(deps, caller, saved.id, request.ip);
  // A draft that was deleted in another window.
  if (referral.status !== 'draft' && referral.requested_at === null) return undefined;
  if (referral.status !== 'draft') {
    // The second request of a double click; or the browser’s Back button brought the form back, and somebody else was typed into it.
    if (isSameReferral(draftInputOf(referral), input)) return referral;
    throw new Problem(idempotencyKeyReused);
  }
  const seen = { referralId: saved.id, ipAddress: request.ip };
  const { version } = await changeDraft(deps, caller, { ...seen, version: referral.version, input });
  return isDraft ? saved : sendDraft(deps, caller, { ...seen, version, allowDuplicate });
}

/** Whether a form says the same of the same person as a referral that was sent from it. */
function isSameReferral(sent: DraftInput, typed: DraftInput): boolean {
  const essence = ({ patient, reasons, safety_notes }: DraftInput) => {
    const { given_name, family_name, birth_date, nhs_number } = patient ?? {};
    const texts = [given_name, family_name, birth_date, nhs_number, safety_notes];
    return [...texts, ...(reasons ?? []).map(({ text }) => text)].map(plain);
  };
  return isDeepStrictEqual(essence(sent), essence(typed));
}

const plain = (text: string | undefined) => (text ?? '').normalize('NFC').replaceAll(/\s+/g, ' ').trim();

type FilledInput = { key: string; input: DraftInput & { allow_duplicate?: boolean }; isDraft: boolean };

/**
 * A double click sends the form twice. The second request waits for the first, and then shows the same referral.
 */
async function submitAndWait({ referralIntake }: Deps, submission: Submission) {
  for (let triesLeft = 20; ; triesLeft--) {
    try {
      return await referralIntake.submit(submission);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== stillInProgress || triesLeft === 0) throw error;
      await sleep(250);
    }
  }
}
