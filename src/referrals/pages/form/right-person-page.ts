import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { isKnownPostcode, type ServiceForReferral } from '../../../library/index.ts';
import { upperFirst } from '../../../platform/first-letter.ts';
import { dayInWords, momentInWords, readUntrimmedFields, timeInWords } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { Problem, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import { reasonErrors } from '../../../platform/reason.ts';
import { cleanText } from '../../../platform/visible-text.ts';
import {
  contactElsewhereInWords,
  loadContactElsewhereForLetters,
} from '../../model/access/contact-elsewhere.ts';
import { findStaff } from '../../model/actors/people-at-work.ts';
import { londonDate } from '../../model/due/dates.ts';
import { adjustmentsInWords } from '../../model/person/adjustments.ts';
import { ageInWords } from '../../model/person/age.ts';
import { agreementInWords } from '../../model/person/agreement.ts';
import { findLaterTexts } from '../../model/person/danger/later-texts-store.ts';
import { mustBeReadFirst, partsWithCrisis } from '../../model/person/danger/risk.ts';
import { safeContactInWords } from '../../model/person/danger/safe-contact.ts';
import { ethnicCategoryItems } from '../../model/person/ethnic-category.ts';
import { isAreaUnchecked } from '../../model/person/fit.ts';
import { episodes, methods, sources } from '../../model/person/how-referred.ts';
import { cannotBePrinted, printedPart } from '../../model/person/identity/names.ts';
import { needsInWords } from '../../model/person/needs.ts';
import { addressOfPage } from '../../model/person-page/person-page.ts';
import { wrongState } from '../../model/problems.ts';
import type { Agreement, Draft } from '../../model/referral.ts';
import type { DraftInput } from '../../model/schemas/new-referral.ts';
import { riskHelp } from '../../submit/checks/require-risk-acted-on.ts';
import { draftInputOf } from '../../submit/draft-input.ts';
import { sendDraft } from '../../submit/drafts.ts';
import type { SubmitDeps } from '../../submit/submit-referral.ts';
import { momentFromField } from '../moment-field.ts';
import { personFromForm, type ReferralField } from '../referral-fields.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import { agreementQuestions } from './agreement-wording.ts';
import { findOwnPractice } from './choose-practice.ts';
import { serviceFacts } from './form-layout.ts';
import { readCompleteForm, showForm } from './form-page.ts';
import {
  checkPath,
  editPath,
  missingAnswers,
  readDraft,
  readStoredForm,
  type StoredForm,
} from './read-draft.ts';
import type { ReferralForm } from './referral-form.ts';

type Deps = SubmitDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/**
 * Asks whether it is the right person before a draft is sent: a wrong one that reads well is what people overlook. It has an address of
 * its own, so that Back and a reload ask nothing again, and nothing of the person is in it.
 */
export function rightPersonPage(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));

  app.get('/referrals/:id/check', { config, schema: { hide: true, params } }, async (request, reply) => {
    const { id } = request.params;
    const { draft, service, sentAt } = await readDraft(deps, request, id);
    if (sentAt)
      return deps.pages.send(request, reply, 'referrals/pages/templates/form/sent.njk', {
        sentWhen: whenInWords(sentAt, deps.clock.now()),
        referralHref: referralPagePath(id),
      });
    if (!draft || !service) return reply.redirect(referralPagePath(id), 303);
    const filled = await readStoredForm(deps, draft, service);
    if (missingAnswers(deps, filled).length > 0) return reply.redirect(editPath(id), 303);
    return showRightPerson(deps, request, reply, draft, filled);
  });

  app.post(
    '/referrals/:id/check',
    { config, schema: { hide: true, params, body: anyForm } },
    async (request, reply) => {
      const { id } = request.params;
      const { draft, service, sentAt } = await readDraft(deps, request, id);
      if (sentAt) return reply.redirect(referralSuccess.path(referralPagePath(id), 'sent'), 303);
      if (!draft || !service) return reply.redirect(referralPagePath(id), 303);
      const typed = readUntrimmedFields(request.body, [
        'version',
        'contact_reason',
        'urgency_decision',
        'routine_reason',
      ]);
      const version = Number(typed.version);
      const filled = await readStoredForm(deps, draft, service);
      const expected = { referralId: id, version, ipAddress: request.ip };
      const contactReason = await readContactReason(deps, draft, typed.contact_reason);
      const urgency = readUrgency(deps, draft, filled, typed);
      // Of a draft that was changed meanwhile, nobody has seen the question.
      if ((contactReason.error || urgency.error) && version === draft.version) {
        reply.code(unprocessable.status);
        return showRightPerson(deps, request, reply, draft, filled, { contactReason, urgency });
      }
      try {
        readCompleteForm(deps, filled);
        const answers = { contactReason: contactReason.text, urgency: urgency.decision };
        await sendDraft(deps, requireCaller(request), { ...expected, checksAreaText: true, ...answers });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.kind === wrongState) return reply.redirect(checkPath(id), 303);
        if (error.kind === versionStale) return answerChangedDraft(deps, request, reply, id);
        return showForm(deps, request, reply, { ...filled, version: draft.version }, error);
      }
      return reply.redirect(referralSuccess.path(referralPagePath(id), 'sent'), 303);
    },
  );
}

type ContactReason = { text?: string; sentText?: string; error?: string };

/** Where another referral of the organisation asks for more care, the service reads why this one does not. */
async function readContactReason(deps: Deps, draft: Draft, typed: string): Promise<ContactReason> {
  if ((await moreCarefulAnswers(deps, draft)).length === 0) return {};
  const text = cleanText(typed);
  const [error] = reasonErrors(text, { request: 'Say why this answer about contact is right' });
  return error ? { sentText: typed, error: error.message } : { text };
}

type UrgencyAnswer = {
  decision?: 'urgent' | { routineBecause: string };
  sentValues?: { urgency_decision: string; routine_reason: string };
  error?: { field: 'urgency_decision' | 'routine_reason'; text: string };
};

/** Where somebody may come to harm, the referrer says whether the service must read it today. Nothing is chosen for them. */
function readUrgency(
  deps: Deps,
  draft: Draft,
  { form }: StoredForm,
  sentValues: NonNullable<UrgencyAnswer['sentValues']>,
): UrgencyAnswer {
  if (!asksUrgency(deps, draft, form)) return {};
  if (sentValues.urgency_decision === 'urgent') return { decision: 'urgent' };
  if (sentValues.urgency_decision !== 'routine')
    return {
      sentValues,
      error: { field: 'urgency_decision', text: 'Select whether the referral is urgent' },
    };
  const text = cleanText(sentValues.routine_reason);
  const [error] = reasonErrors(text, { request: 'Say why the referral is not urgent' });
  return error
    ? { sentValues, error: { field: 'routine_reason', text: error.message } }
    : { decision: { routineBecause: text } };
}

function asksUrgency({ settings }: Deps, draft: Draft, form: ReferralForm): boolean {
  return form.urgency !== 'urgent' && mayBeHarmed(settings, draft, form);
}

function mayBeHarmed(settings: WebPlatform['settings'], draft: Draft, form: ReferralForm): boolean {
  return form.risk === 'yes' || dangerToLookAt(draft, settings) !== undefined;
}

function whenInWords(moment: Date, now: Date): string {
  const isToday = dayInWords(moment) === dayInWords(now);
  return isToday ? `at ${timeInWords(moment)}` : `on ${momentInWords(moment)}`;
}

/** It was sent meanwhile, by the first request of a double click; or it says something else now, which nobody has checked. */
async function answerChangedDraft(deps: Deps, request: Request, reply: Reply, id: string): Promise<Reply> {
  const { draft, service, sentAt } = await readDraft(deps, request, id);
  if (sentAt) return reply.redirect(referralSuccess.path(referralPagePath(id), 'sent'), 303);
  if (!draft || !service) return reply.redirect(referralPagePath(id), 303);
  const filled = await readStoredForm(deps, draft, service);
  if (missingAnswers(deps, filled).length > 0) return reply.redirect(editPath(id), 303);
  reply.code(versionStale.status);
  return showRightPerson(deps, request, reply, draft, filled, { hasChanged: true });
}

async function showRightPerson(
  deps: Deps,
  request: Request,
  reply: Reply,
  draft: Draft,
  { service, form, practice, action }: StoredForm,
  {
    hasChanged = false,
    contactReason = {},
    urgency = {},
  }: { hasChanged?: boolean; contactReason?: ContactReason; urgency?: UrgencyAnswer } = {},
): Promise<Reply> {
  const { pages, clock, settings, db } = deps;
  const { birth_date: birthDate, nhs_number: number } = personFromForm(form);
  const input = draftInputOf(draft);
  const danger = dangerToLookAt(draft, settings);
  const facts = await serviceFacts(deps, service, form);
  return pages.send(request, reply, 'referrals/pages/templates/form/right-person.njk', {
    service,
    values: form,
    version: draft.version,
    edit: action,
    action: checkPath(draft.id),
    hasChanged,
    person: {
      name: [form.title, form.given_name, form.family_name]
        .map((part) => part.trim())
        .filter(Boolean)
        .join(' '),
      // The practice and the service would not know who it is. A part of each in Latin letters is enough.
      cannotBePrinted: [form.given_name, form.family_name].some(
        (name) => cannotBePrinted(name) && !/\p{L}/u.test(printedPart(name)),
      ),
      birthDate,
      age: ageInWords(birthDate!, londonDate(clock.now())),
      number,
    },
    address: input.patient?.address,
    further: furtherAnswers(form, input),
    contact: safeContactInWords(input.contact),
    pageAddress: addressOfPage(input),
    practice: practice.offered.find(({ odsCode }) => odsCode === practice.code),
    // The field that a link to change it leads to.
    practiceField: (await findOwnPractice(deps, requireCaller(request))) ? 'gp_from' : 'gp_ods_code',
    share: agreementQuestions(service).share.options[form.share_with_gp],
    agreement: agreementInWords(input.agreement as Agreement, momentInWords),
    risk: { answer: riskAnswers[form.risk], told: input.risk_acted_on },
    isOutside: facts?.area?.covers === false,
    isPostcodeKnown: await isKnownPostcode(db, form.postcode),
    isAreaUnchecked: await isAreaUnchecked(db, service, form.postcode),
    danger,
    asksUrgency: asksUrgency(deps, draft, form),
    urgency,
    isPracticeUntold:
      mayBeHarmed(settings, draft, form) && form.share_with_gp === 'codes_only' && practice.code !== '',
    ringService: (await mustRingService(deps, draft, service)) ? { phones: facts?.phones ?? [] } : undefined,
    moreCareful: await moreCarefulAnswers(deps, draft),
    contactReason,
  });
}

/** Everything else that is sent, in the order of the form, with the fields where each is changed. */
function furtherAnswers(
  form: ReferralForm,
  { patient, needs, reasonable_adjustments, source, method, episode, gp_actions, goals }: DraftInput,
): { key: string; field: ReferralField | undefined; text: string }[] {
  const carer = [form.carer_name, form.carer_relationship, form.carer_telephone];
  const ethnicCategory = ethnicCategoryItems.find(({ value }) => value === patient?.ethnic_category)?.text;
  const tasks = (gp_actions ?? []).map(({ text }) => text);
  const answers: [string, ReferralField | undefined, string | undefined][] = [
    ['Email', 'email', form.email],
    ['Gender', 'gender', upperFirst(form.gender)],
    ['Ethnic category', 'ethnic_category', ethnicCategory],
    ['Ethnic background', 'ethnicity', form.ethnicity],
    ['Carer', 'carer_name', carer.filter((part) => part.trim() !== '').join(', ')],
    ['The practice is told who the carer is', 'carer_share', form.carer_share && 'Yes'],
    ['Other wishes about contact', 'preferred_contact', form.preferred_contact],
    ['Interpreter', 'interpreter', form.interpreter],
    ['Format', 'format', form.format],
    ['Reasonable adjustments', 'reasonable_adjustments', adjustmentsInWords(reasonable_adjustments)],
    ['Tasks for the practice', 'gp_needed', tasks.join('\n')],
    ['Needs', 'needs', needsInWords(needs).join('\n')],
    ['Goals', undefined, (goals ?? []).map(({ text }) => text).join('\n')],
    ['What matters to the person', 'what_matters', form.what_matters],
    ['Safety notes', 'safety_notes', form.safety_notes],
    [
      'The practice gets the safety notes',
      'safety_notes_for_practice',
      form.safety_notes_for_practice && 'Yes',
    ],
    ['Support so far', 'support_offered', form.support_offered],
    ['Online record', 'do_not_show_online', form.do_not_show_online && 'Not to be shown'],
    ['On behalf of', 'on_behalf_of', form.on_behalf_of],
    ['Asked for by', 'source', source && sources[source]],
    ['How it was taken', 'method', method && methods[method]],
    ['Referred for this before', 'episode', episode && episodes[episode]],
    ['Taken on paper', 'made_at', form.made_at && momentInWords(momentFromField(form.made_at) ?? '')],
    ['Why this NHS number is right', 'mismatch_reason', form.mismatch_reason],
    ['How you know that it is somebody else', 'namesake_reason', form.namesake_reason],
    ['Why the person is referred all the same', 'death_reason', form.death_reason],
  ];
  return answers.flatMap(([key, field, text = '']) =>
    text.trim() === '' ? [] : [{ key, field, text: text.trim() }],
  );
}

/** What other open referrals of the person by the same organisation say of contacting them, where it asks for more care than this one. */
async function moreCarefulAnswers({ db, settings }: Deps, draft: Draft): Promise<string[]> {
  const elsewhere = (await loadContactElsewhereForLetters(db, [draft], 'referrer')).get(draft.id) ?? [];
  return elsewhere
    .filter(({ stricter }) => stricter)
    .map((each) => {
      if (each.contact === null) return contactElsewhereInWords([each], settings).first!;
      const which = each.reference === null ? '' : ` (${each.reference})`;
      return `Your organisation has another open referral of this person${which}. It says: ${safeContactInWords(each.contact)}`;
    });
}

/** Whether nobody at the service has an account, and the referral is too dangerous to be answered by a link. */
async function mustRingService(
  { db, clock, settings }: Deps,
  draft: Draft,
  { organization, channels }: ServiceForReferral,
): Promise<boolean> {
  // A client system reads and answers what it gets by another channel.
  if (!channels.every((each) => each === 'email' || each === 'inbox')) return false;
  const content = draftInputOf(draft) as Parameters<typeof mustBeReadFirst>[0];
  if (!mustBeReadFirst(content, await findLaterTexts(db, draft), settings.crisisPhrases)) return false;
  const organizationId = organization?.id ?? null;
  const staffOf = await findStaff(db, [organizationId], clock.now());
  return !staffOf(organizationId).hasPeople;
}

/** What the text says and the answer about risk does not: the person looks again, and may send it as it is. */
function dangerToLookAt(draft: Draft, settings: WebPlatform['settings']) {
  const { risk = '' } = draft.content;
  if (risk === 'yes') return undefined;
  const parts = partsWithCrisis(draftInputOf(draft), settings.crisisPhrases);
  return parts.length > 0 ? { ...riskHelp(settings), parts, answer: riskAnswers[risk] } : undefined;
}

const riskAnswers: Readonly<Record<string, string>> = {
  yes: 'Yes',
  no: 'No',
  could_not_ask: 'I could not ask',
};
