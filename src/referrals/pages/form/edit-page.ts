import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem, versionStale } from '../../../platform/problem/index.ts';
import type { Draft } from '../../model/referral.ts';
import { draftInputOf } from '../../submit/draft-input.ts';
import { changeDraft, checkDraft } from '../../submit/drafts.ts';
import type { SubmitDeps } from '../../submit/submit-referral.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import { autosaveDraft } from './autosave.ts';
import { choosePractice, findOwnPractice } from './choose-practice.ts';
import { earlierPath } from './earlier-page.ts';
import {
  type FilledForm,
  practiceProblem,
  readCompleteForm,
  readDraftForm,
  requireAllKept,
  searchedAgeOf,
  showForm,
} from './form-page.ts';
import { findFormService } from './form-service.ts';
import { checkPath, editPath, readDraft, readStoredForm } from './read-draft.ts';
import { keepHiddenFields, readReferralForm } from './referral-form.ts';

type Deps = SubmitDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The form of a draft, to go on with it and to send it. */
export function editDraftPages(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));

  app.get('/referrals/:id/edit', { config, schema: { hide: true, params } }, async (request, reply) => {
    const { draft, service } = await readDraft(deps, request, request.params.id);
    if (!draft || !service) return reply.redirect(referralPagePath(request.params.id), 303);
    const filled = await readStoredForm(deps, draft, service);
    return showForm(deps, request, reply, { ...filled, version: draft.version });
  });

  app.post(
    '/referrals/:id/edit',
    { config, schema: { hide: true, params, body: anyForm } },
    async (request, reply) => {
      if (readUntrimmedFields(request.body, ['autosave']).autosave !== '')
        return autosave(deps, request, reply, request.params.id);
      const { draft, service } = await readDraft(deps, request, request.params.id);
      if (!draft || !service) return reply.redirect(referralPagePath(request.params.id), 303);
      const fields = readUntrimmedFields(request.body, [
        'version',
        'find_practice',
        'save_draft',
        'replaces_version',
      ]);
      const form = readReferralForm(request.body);
      const own = await findOwnPractice(deps, requireCaller(request));
      const practice = await choosePractice(deps, form, { ownCode: own?.odsCode });
      const filled = {
        service,
        form,
        practice,
        action: editPath(draft.id),
        age: searchedAgeOf(request.body),
        earlierPath: draft.reroutes === null ? earlierPath(service) : undefined,
        version: Number(fields.replaces_version || fields.version),
      };
      let { version } = filled;
      if (fields.find_practice !== '')
        return showForm(deps, request, reply, filled, practiceProblem(practice));
      try {
        version = await saveDraft(deps, request, draft, filled);
        if (fields.save_draft !== '') requireAllKept(filled);
        if (fields.save_draft !== '' || fields.replaces_version !== '')
          return reply.redirect(referralSuccess.path(referralPagePath(draft.id), 'draft'), 303);
        readCompleteForm(deps, filled);
        const expected = { referralId: draft.id, version, ipAddress: request.ip };
        await checkDraft(deps, requireCaller(request), { ...expected, checksAreaText: true });
        return reply.redirect(checkPath(draft.id), 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const newerVersion = error.kind === versionStale ? draft.version : undefined;
        return showForm(deps, request, reply, { ...filled, version, newerVersion }, error);
      }
    },
  );
}

/** The draft is not read first: that would be an audit entry every ten seconds, and saving it checks who may. */
async function autosave(deps: Deps, request: Request, reply: Reply, referralId: string): Promise<Reply> {
  const { service: serviceId, version } = readUntrimmedFields(request.body, ['service', 'version']);
  const service = await findFormService(deps, request, serviceId);
  if (!service) throw new Problem(notFound);
  const form = readReferralForm(request.body);
  const own = await findOwnPractice(deps, requireCaller(request));
  const practice = await choosePractice(deps, form, { ownCode: own?.odsCode });
  const expected = { referralId, version: Number(version) };
  return autosaveDraft(deps, request, reply, { service, form, practice, ...expected });
}

type FilledDraftForm = FilledForm & { practice: NonNullable<FilledForm['practice']>; version: number };

/** A draft is saved before it is sent, so that nothing typed is lost when it cannot be sent. @returns its new version. */
async function saveDraft(
  deps: Deps,
  request: Request,
  draft: Draft,
  filled: FilledDraftForm,
): Promise<number> {
  const input = keepHiddenFields(readDraftForm(deps, filled), draftInputOf(draft));
  const change = { referralId: draft.id, version: filled.version, ipAddress: request.ip, input };
  const { version } = await changeDraft(deps, requireCaller(request), change);
  return version;
}
