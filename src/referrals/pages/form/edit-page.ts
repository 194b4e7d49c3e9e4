import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../../accounts/index.ts';
import { findServiceForReferral, type ServiceForReferral } from '../../../library/index.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem, versionStale } from '../../../platform/problem/index.ts';
import { readReferral } from '../../listing/read-referral.ts';
import type { Draft } from '../../model/referral.ts';
import { isUsable } from '../../model/usable.ts';
import { changeDraft, draftInputOf, sendDraft, wasAskedBeforeSensitive } from '../../submit/drafts.ts';
import type { SubmitDeps } from '../../submit/submit-referral.ts';
import { referralDone, referralPath } from '../referral/referral-page.ts';
import { autosaveDraft } from './autosave.ts';
import { choosePractice, findOwnPractice } from './choose-practice.ts';
import {
  askRightPerson,
  type FilledForm,
  practiceProblem,
  readCompleteForm,
  readDraftForm,
  showForm,
  warnOfMisfit,
} from './form-page.ts';
import { formOf, keepHiddenFields, readReferralForm } from './referral-form.ts';

type Deps = SubmitDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The form of a draft, to go on with it and to send it. */
export function editDraftPages(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));

  app.get('/referrals/:id/edit', { config, schema: { hide: true, params } }, async (request, reply) => {
    const { draft, service } = await readDraft(deps, request, request.params.id);
    if (!draft || !service) return reply.redirect(referralPath(request.params.id), 303);
    const { id, version } = draft;
    const stored = formOf(draftInputOf(draft));
    const mustAskSharing = wasAskedBeforeSensitive(draft, service);
    const form = mustAskSharing ? { ...stored, share_with_gp: 'no' } : stored;
    const practice = await choosePractice(deps, form);
    return showForm(deps, request, reply, {
      service,
      form,
      practice,
      version,
      mustAskSharing,
      action: `/referrals/${id}/edit`,
    });
  });

  app.post(
    '/referrals/:id/edit',
    { config, schema: { hide: true, params, body: anyForm } },
    async (request, reply) => {
      if (readUntrimmedFields(request.body, ['autosave']).autosave !== '')
        return autosave(deps, request, reply, request.params.id);
      const { draft, service } = await readDraft(deps, request, request.params.id);
      if (!draft || !service) return reply.redirect(referralPath(request.params.id), 303);
      const sent = readUntrimmedFields(request.body, [
        'version',
        'find_practice',
        'save_draft',
        'right_person',
        'change',
        'replaces_version',
      ]);
      const form = readReferralForm(request.body);
      const own = await findOwnPractice(deps, requireCaller(request));
      const practice = await choosePractice(deps, form, { ownCode: own?.odsCode });
      const action = `/referrals/${draft.id}/edit`;
      const filled = {
        service,
        form,
        practice,
        action,
        version: Number(sent.replaces_version || sent.version),
      };
      let { version } = filled;
      if (sent.find_practice !== '') return showForm(deps, request, reply, filled, practiceProblem(practice));
      if (sent.change !== '') return showForm(deps, request, reply, filled);
      try {
        version = await saveDraft(deps, request, draft, filled);
        const isDraft = sent.save_draft !== '' || sent.replaces_version !== '';
        if (!isDraft && sent.right_person !== 'yes') {
          await warnOfMisfit(deps, service, readCompleteForm(deps, filled));
          return askRightPerson(deps, request, reply, { ...filled, version });
        }
        if (!isDraft) await sendFilledDraft(deps, request, draft, { ...filled, version });
        return reply.redirect(referralDone.path(`/referrals/${draft.id}`, isDraft ? 'draft' : 'sent'), 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const newerVersion = error.kind === versionStale ? draft.version : undefined;
        return showForm(deps, request, reply, { ...filled, version, newerVersion }, error);
      }
    },
  );
}

/** The draft is not read first, which would be a look in the audit every ten seconds: saving it checks who may. */
async function autosave(deps: Deps, request: Request, reply: Reply, referralId: string): Promise<Reply> {
  const { service: serviceId, version } = readUntrimmedFields(request.body, ['service', 'version']);
  const service = await findServiceForReferral(deps.db, serviceId);
  if (!service) throw new Problem(notFound);
  const form = readReferralForm(request.body);
  const own = await findOwnPractice(deps, requireCaller(request));
  const practice = await choosePractice(deps, form, { ownCode: own?.odsCode });
  const seen = { referralId, version: Number(version) };
  return autosaveDraft(deps, request, reply, { service, form, practice, ...seen });
}

type FilledDraft = FilledForm & { practice: NonNullable<FilledForm['practice']>; version: number };

/** A draft is saved before it is sent, so that nothing typed is lost when it cannot be sent. @returns its new version. */
async function saveDraft(deps: Deps, request: Request, draft: Draft, filled: FilledDraft): Promise<number> {
  const input = keepHiddenFields(readDraftForm(deps, filled), draftInputOf(draft));
  const change = { referralId: draft.id, version: filled.version, ipAddress: request.ip, input };
  const { version } = await changeDraft(deps, requireCaller(request), change);
  return version;
}

async function sendFilledDraft(
  deps: Deps,
  request: Request,
  draft: Draft,
  filled: FilledDraft,
): Promise<void> {
  const { allow_duplicate: allowDuplicate } = readCompleteForm(deps, filled);
  const { version } = filled;
  const seen = { referralId: draft.id, version, ipAddress: request.ip };
  await sendDraft(deps, requireCaller(request), { ...seen, allowDuplicate });
}

type EditableDraft = { draft?: Draft | undefined; service?: ServiceForReferral | undefined };

/** @throws Problem `not-found`, also for anybody but the referrer. */
async function readDraft(deps: Deps, request: Request, id: string): Promise<EditableDraft> {
  const caller: Caller = requireCaller(request);
  const { referral, sides, presented } = await readReferral(deps, caller, id, request.ip);
  if (!sides.includes('referrer')) throw new Problem(notFound);
  if (referral.requested_at !== null || referral.status !== 'draft' || !isUsable(referral)) return {};
  // Null also where the service is hidden from the caller, who can give a reason on the draft's page.
  const { service_id } = presented;
  const service = service_id === null ? undefined : await findServiceForReferral(deps.db, service_id);
  return { draft: referral, service };
}
