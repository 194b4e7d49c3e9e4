import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { crisisIn, isUnattended, type ServiceForReferral } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { dayInWords, readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import { isUuid, newId } from '../../../platform/ids/index.ts';
import { withoutUndefined } from '../../../platform/objects.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem, versionStale } from '../../../platform/problem/index.ts';
import type { ListedReferral } from '../../listing/list-referrals.ts';
import { readReferral } from '../../listing/read-referral.ts';
import { searchReferrals } from '../../listing/search-referrals.ts';
import { isServiceHidden, requireKnownService } from '../../model/access/hide-sensitive-services.ts';
import { forColleague, listConfidentialChanges } from '../../model/access/referrers-details.ts';
import { findLaterTexts } from '../../model/person/danger/later-texts-store.ts';
import { mayTellOfDanger } from '../../model/person/danger/risk.ts';
import { findOpenWishToStop } from '../../model/person-page/person-pages-store.ts';
import { idempotencyKeyReused, stillInProgress, wrongState } from '../../model/problems.ts';
import type { Referral } from '../../model/referral.ts';
import type { DraftInput } from '../../model/schemas/new-referral.ts';
import { requireUsable } from '../../model/status/usable.ts';
import { notTakenOver } from '../../submit/checks/check-reroute.ts';
import { prepareSubmission, type Submission } from '../../submit/checks/submissions.ts';
import { draftInputOf, inputForReroute } from '../../submit/draft-input.ts';
import { changeDraft, checkDraft } from '../../submit/drafts.ts';
import type { SubmitDeps } from '../../submit/submit-referral.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import {
  autosaveNewForm,
  findSavedDraft,
  keepValidFields,
  keyOfDraft,
  nothingTypedProblem,
  type SavedDraft,
  saysSomethingOfPerson,
} from './autosave.ts';
import { findBegunDraft } from './begun-draft-store.ts';
import { choosePractice, findOwnPractice } from './choose-practice.ts';
import { earlierPath, sentStatuses } from './earlier-page.ts';
import {
  type FilledForm,
  type FormWithPractice,
  practiceProblem,
  readCompleteForm,
  readDraftForm,
  requireAllKept,
  searchedAgeOf,
  showForm,
} from './form-page.ts';
import { type FormService, findFormService } from './form-service.ts';
import { checkPath, editPath } from './read-draft.ts';
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
  app.get('/referrals/new', { config, schema: { hide: true, querystring } }, (request, reply) =>
    openNewForm(deps, request, reply),
  );
  app.post('/referrals/new', { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    takeNewForm(deps, request, reply),
  );
}

async function openNewForm(
  deps: Deps,
  request: Request & { query: Static<typeof querystring> },
  reply: Reply,
): Promise<Reply> {
  const { service: id, postcode = '', age } = request.query;
  if (!id) return reply.redirect('/services', 303);
  const service = await requireService(deps, request, id);
  const unattended = deps.settings.mode === 'live' && (await isUnattended(deps.db, service));
  if (!acceptsReferrals(service) || unattended)
    return deps.pages.send(request, reply, 'referrals/pages/templates/form/not-accepting.njk', { service });
  const rerouted = await readRerouteForm(deps, request, service, request.query.reroutes);
  const copied = rerouted ? undefined : await readCopiedReferral(deps, request, request.query);
  const known = rerouted ?? copied;
  const earlier = rerouted?.replaced ?? copied?.copiedFrom;
  const begunWith = known ? formOf(known.input) : { ...emptyReferralForm, postcode };
  // Somebody at home or at the practice may read the copy, so nobody sends one without choosing that.
  const form =
    service.sensitive || service.isReferrerSensitive ? { ...begunWith, share_with_gp: 'no' } : begunWith;
  return showForm(deps, request, reply, {
    service,
    form,
    action: addressOf(service),
    key: newId(),
    age,
    isBlank: known === undefined,
    begun: await findBegunDraft(deps.db, requireCaller(request), { service, now: deps.clock.now() }),
    practice: await choosePractice(deps, form),
    earlierPath: known ? undefined : earlierPath(service),
    newest: earlier && (await findNewest(deps, request, earlier)),
    ...copied,
    ...rerouted,
  });
}

/** Saves the form by itself, finds a practice for it, keeps it as a draft, or leads on to the page that asks whether it is the right person. */
async function takeNewForm(deps: Deps, request: Request, reply: Reply): Promise<Reply> {
  const fields = readUntrimmedFields(request.body, [
    'service',
    'idempotency_key',
    'find_practice',
    'save_draft',
    'autosave',
    'reroutes',
  ]);
  const form = readReferralForm(request.body);
  const service = await requireService(deps, request, fields.service);
  const key = isUuid(fields.idempotency_key) ? fields.idempotency_key : newId();
  const own = await findOwnPractice(deps, requireCaller(request));
  const practice = await choosePractice(deps, form, { ownCode: own?.odsCode });
  const rerouted = await readRerouteForm(deps, request, service, fields.reroutes);
  const replaced = rerouted?.input;
  if (fields.autosave !== '')
    return autosaveNewForm(deps, request, reply, { service, form, practice, key, replaced });
  const filled = {
    service,
    form,
    key,
    practice,
    action: addressOf(service),
    age: searchedAgeOf(request.body),
    earlierPath: rerouted ? undefined : earlierPath(service),
    ...rerouted,
  };
  if (fields.find_practice !== '') {
    const draft = await keepAsDraft(deps, request, filled, replaced);
    return showForm(deps, request, reply, { ...filled, ...draft }, practiceProblem(practice));
  }
  return saveNewForm(deps, request, reply, filled, { isDraft: fields.save_draft !== '', replaced });
}

/** A form is a draft first, also to be sent, so that nothing typed is lost. It comes back with what is missing or wrong. */
async function saveNewForm(
  deps: Deps,
  request: Request,
  reply: Reply,
  filled: FilledForm & FormWithPractice & { key: string },
  { isDraft, replaced }: { isDraft: boolean; replaced: DraftInput | undefined },
): Promise<Reply> {
  let saved: { id: string; version: number; isSent?: boolean } | undefined;
  try {
    if (isDraft && !saysSomethingOfPerson(filled.form)) throw nothingTypedProblem();
    if (isDraft) requireAllKept(filled);
    else readCompleteForm(deps, filled);
    const typed = readDraftForm(deps, filled);
    const input = replaced ? keepHiddenFields(typed, replaced) : typed;
    saved = await saveNewDraft(deps, request, { key: filled.key, input });
    const path = referralPagePath(saved.id);
    if (saved.isSent) return reply.redirect(referralSuccess.path(path, 'sent'), 303);
    if (isDraft) return reply.redirect(referralSuccess.path(path, 'draft'), 303);
    const expected = { referralId: saved.id, version: saved.version, ipAddress: request.ip };
    await checkDraft(deps, requireCaller(request), { ...expected, checksAreaText: true });
    return reply.redirect(checkPath(saved.id), 303);
  } catch (error) {
    // That page shows what the draft says by now, or that it was sent.
    if (saved && isOvertaken(error)) return reply.redirect(checkPath(saved.id), 303);
    if (!(error instanceof Problem)) throw error;
    const draft = saved ? asDraft(saved) : await keepAsDraft(deps, request, filled, replaced);
    return showForm(deps, request, reply, { ...filled, ...draft }, error);
  }
}

/** The address names the service, so that a form that came back with errors can be reloaded. */
function addressOf({ id }: ServiceForReferral): string {
  return `/referrals/new?service=${encodeURIComponent(id)}`;
}

/** The referral that the new one replaces, and what the form begins with. */
type RerouteForm = {
  replaced: Referral;
  input: DraftInput;
  /** Staff of a sensitive service changed how the person is reached, and the form has what the referrer’s side had entered. */
  mustAskHowToReach: boolean;
  /** The service that declined suggested this one. */
  isSuggested?: boolean;
  /** What tells of a danger, and is not passed on. */
  toldSince: string[];
  /** The earlier answers to what the form asks again, to show beside the question. Nothing is chosen from them. */
  lastTime: Record<'risk' | 'contact' | 'share', string | undefined>;
  /** When the person said that they no longer want the earlier referral, if nobody has dealt with it. */
  wishToStopAt: Date | undefined;
};

async function readRerouteForm(
  deps: Deps,
  request: Request,
  service: ServiceForReferral,
  id = '',
): Promise<RerouteForm | undefined> {
  if (id === '') return undefined;
  const { referral, input, mustAskHowToReach, toldSince } = await readWhole(deps, request, id);
  const isSuggested = referral.content.suggested_service?.id === service.id;
  const kept = answersToKeep(referral, input, isSuggested);
  return {
    replaced: referral,
    input: { ...withoutAnswers(input), ...kept, reroutes: referral.id },
    mustAskHowToReach,
    isSuggested,
    toldSince,
    lastTime: lastTimeInWords(referral, input, kept),
    wishToStopAt: await findOpenWishToStop(deps.db, referral.id),
  };
}

const riskAnswers = { no: 'no', yes: 'yes', could_not_ask: 'you could not ask', not_asked: undefined };

/** Only a yes is asked again of contact and of the practice. The date says how old the answer is. */
function lastTimeInWords(
  { content, requested_at }: Referral,
  { contact }: DraftInput,
  kept: Pick<DraftInput, 'contact' | 'consent'>,
): RerouteForm['lastTime'] {
  const inWords = (answer: string | undefined) =>
    answer && requested_at ? `Last time, on ${dayInWords(requested_at)}: ${answer}` : undefined;
  return {
    risk: inWords(riskAnswers[content.risk ?? 'not_asked']),
    contact: inWords(contact?.safe === 'yes' && !kept.contact?.safe ? 'yes' : undefined),
    share: inWords(kept.consent ? undefined : 'yes, all of it'),
  };
}

/**
 * The answers of a declined referral that the form of the one in its place begins with:
 * - the urgency;
 * - contact, but “yes, it is safe” only if the service that declined suggested the new one: else a partner may have moved in since;
 * - whether to tell the practice, and “yes” in the same case alone.
 *
 * Risk, a page of their own and the agreement to this service are asked again in any case.
 */
function answersToKeep(
  { content }: Referral,
  { contact, urgency }: DraftInput,
  isSuggested: boolean,
): Pick<DraftInput, 'contact' | 'urgency' | 'consent'> {
  const { share_with_gp } = content.consent;
  return {
    ...withoutUndefined({ contact: contact && !isSuggested ? withoutYes(contact) : contact, urgency }),
    ...((isSuggested || share_with_gp !== true) && { consent: { share_with_gp } }),
  };
}

type Contact = NonNullable<DraftInput['contact']>;

/** Whom not to tell, and when it is safe, stay filled in. That contact is safe, or a voicemail may be left, does not. */
function withoutYes(contact: Contact): Contact {
  const { safe, voicemail, ...rest } = contact;
  return { ...rest, ...(safe && safe !== 'yes' && { safe }), ...(voicemail === false && { voicemail }) };
}

/** What the form begins with if it is for a person whom the organisation referred before. */
type CopiedReferral = Omit<RerouteForm, 'replaced' | 'lastTime' | 'wishToStopAt'> & {
  copiedFrom: Referral;
  copiedAll: boolean;
};

/** The organisation’s newest referral of the same person, if it is another one: its details may be newer. */
type Newest = ListedReferral['referral'] | undefined;

async function readCopiedReferral(
  deps: Deps,
  request: Request,
  { person = '', again = '' }: { person?: string; again?: string },
): Promise<CopiedReferral | undefined> {
  if (person === '' && again === '') return undefined;
  const { referral, input, mustAskHowToReach, toldSince } =
    again === '' ? await readEarlier(deps, request, person) : await readWhole(deps, request, again);
  const { patient, gp_practice, ...rest } = withoutAnswers(input);
  const copiedAll = again !== '';
  return {
    copiedFrom: referral,
    copiedAll,
    input: withoutUndefined({ patient, gp_practice, ...(copiedAll && rest) }) as DraftInput,
    mustAskHowToReach,
    toldSince,
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

async function findNewest(deps: Deps, request: Request, { id, content }: Referral): Promise<Newest> {
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
  const mustAskHowToReach = (await listConfidentialChanges(deps.db, referral)).length > 0;
  const view = { caller: requireCaller(request), referral };
  const isHidden = await inTransaction(deps.db, (trx) => isServiceHidden(trx, view));
  const toldSince = isHidden ? [] : await listLaterDangers(deps, referral);
  const entered = mustAskHowToReach ? forColleague(referral) : referral;
  const { reroutes: _, contact, ...rest }: DraftInput = inputForReroute(entered);
  const input: DraftInput = { ...rest, ...(contact && !mustAskHowToReach && { contact }) };
  return { referral, input, mustAskHowToReach, toldSince };
}

/** What was written about it since that tells of a danger, with the words around. A new referral does not take it over. */
async function listLaterDangers({ db, settings }: Deps, referral: Referral): Promise<string[]> {
  const { crisisPhrases } = settings;
  const laterTexts = notTakenOver(referral, await findLaterTexts(db, referral));
  return laterTexts
    .filter((text) => mayTellOfDanger(text, crisisPhrases))
    .map((text) => crisisIn(text, crisisPhrases)[0]?.words ?? shortenText(text));
}

const shortenText = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/**
 * As `readEarlier`, to refer for the same reasons too: a colleague first gives a reason to know what was asked of a sensitive service.
 * @throws Problem also `forbidden`
 */
async function readWhole(deps: Deps, request: Request, id: string) {
  const earlier = await readEarlier(deps, request, id);
  const view = { caller: requireCaller(request), referral: earlier.referral };
  await inTransaction(deps.db, (trx) => requireKnownService(trx, view));
  return earlier;
}

async function requireService(deps: Deps, request: Request, id: string): Promise<FormService> {
  const service = id === '' ? undefined : await findFormService(deps, request, id);
  if (!service) throw new Problem(notFound);
  return service;
}

function acceptsReferrals({ status, accepts, channels }: ServiceForReferral): boolean {
  return status === 'active' && accepts && channels.length > 0;
}

type KeyedInput = { key: string; input: DraftInput };

/**
 * Keeps the form as a draft. It has one, whether it saved itself before or the answer was lost; it may have been sent already, by the first
 * request of a double click.
 */
async function saveNewDraft(
  deps: Deps,
  request: Request,
  { key, input }: KeyedInput,
  triesLeft = 5,
): Promise<{ id: string; version: number; isSent?: boolean }> {
  const caller = requireCaller(request);
  const draft = { ...input, status: 'draft' } as Submission['input'];
  const submission = { caller, input: draft, ipAddress: request.ip, idempotencyKey: keyOfDraft(key) };
  const saved = await findSavedDraft(deps, caller, key);
  if (!saved) return (await submitAndWait(deps, submission)).referral;
  const { referral } = await readReferral(deps, caller, saved.id, request.ip);
  if (referral.status === 'draft') {
    const { id: referralId, version } = referral;
    // The page that asks whether it is the right person may show this version already.
    if (version === saved.version && isRepeated(deps, submission, saved)) return { id: referralId, version };
    try {
      return await changeDraft(deps, caller, { referralId, version, ipAddress: request.ip, input });
    } catch (error) {
      // The form’s own request before this one has changed or sent it meanwhile.
      if (!isOvertaken(error) || triesLeft === 0) throw error;
      return saveNewDraft(deps, request, { key, input }, triesLeft - 1);
    }
  }
  // The draft was deleted in another window, or the Back button brought the form back and somebody else was typed into it: either way
  // this key is another request now.
  if (referral.requested_at === null || !isSameReferral(draftInputOf(referral), input))
    throw new Problem(idempotencyKeyReused);
  return { id: referral.id, version: referral.version, isSent: true };
}

/** What the form has once it is a draft. */
function asDraft({
  id,
  version,
}: {
  id: string;
  version: number;
}): Pick<FilledForm, 'version' | 'action' | 'key'> {
  return { version, action: editPath(id), key: undefined };
}

/**
 * A form that comes back is a draft by then, apart from what cannot be stored yet: with Back, the browser shows the empty form again.
 * @returns nothing if there is nothing to keep, or the form was sent before.
 */
async function keepAsDraft(
  deps: Deps,
  request: Request,
  typed: FormWithPractice & { key: string },
  replaced: DraftInput | undefined,
): Promise<Pick<FilledForm, 'version' | 'action' | 'key'> | undefined> {
  if (!saysSomethingOfPerson(typed.form, replaced && formOf(replaced))) return undefined;
  try {
    const { input } = keepValidFields(deps, typed);
    const inputToSave = replaced ? keepHiddenFields(input, replaced) : input;
    const saved = await saveNewDraft(deps, request, { key: typed.key, input: inputToSave });
    return saved.isSent ? undefined : asDraft(saved);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return undefined;
  }
}

/** Whether the very request that made the draft came again. */
function isRepeated(deps: Deps, submission: Submission, { requestHash }: SavedDraft): boolean {
  return prepareSubmission(deps, submission).idempotency?.requestHash.equals(requestHash) === true;
}

/** Whether a draft was changed or sent after it was read. */
function isOvertaken(error: unknown): boolean {
  return error instanceof Problem && (error.kind === versionStale || error.kind === wrongState);
}

/** Whether a form says the same of the same person as a referral that was sent from it. */
function isSameReferral(earlier: DraftInput, typed: DraftInput): boolean {
  const essence = ({ patient, reasons, safety_notes }: DraftInput) => {
    const { given_name, family_name, birth_date, nhs_number } = patient ?? {};
    const texts = [given_name, family_name, birth_date, nhs_number, safety_notes];
    return [...texts, ...(reasons ?? []).map(({ text }) => text)].map(normaliseText);
  };
  return isDeepStrictEqual(essence(earlier), essence(typed));
}

const normaliseText = (text: string | undefined) =>
  (text ?? '').normalize('NFC').replaceAll(/\s+/g, ' ').trim();

/**
 * A double click sends the form twice. The second request waits for the first, and then has the same draft.
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
