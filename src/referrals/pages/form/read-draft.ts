import { requireCaller } from '../../../accounts/index.ts';
import type { Request } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import { readReferral } from '../../listing/read-referral.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import type { Draft } from '../../model/referral.ts';
import { isUsable } from '../../model/status/usable.ts';
import { draftInputOf } from '../../submit/draft-input.ts';
import { wasAskedBeforeSensitive } from '../../submit/drafts.ts';
import { choosePractice, type PracticeChoice } from './choose-practice.ts';
import { readCompleteForm } from './form-page.ts';
import { type FormService, findFormService } from './form-service.ts';
import { explainReferralErrors, formOf, type ReferralForm } from './referral-form.ts';

type DraftOrSent = {
  draft?: Draft | undefined;
  service?: FormService | undefined;
  /** When it was sent: it is no draft any more. */
  sentAt?: Date | null;
};

/** @throws Problem `not-found`, also for anybody but the referrer. */
export async function readDraft(deps: ReferralDeps, request: Request, id: string): Promise<DraftOrSent> {
  const { referral, sides, presented } = await readReferral(deps, requireCaller(request), id, request.ip);
  if (!sides.includes('referrer')) throw new Problem(notFound);
  if (referral.requested_at !== null || referral.status !== 'draft' || !isUsable(referral))
    return { sentAt: referral.requested_at };
  // Null also where the service is hidden from the caller, who can give a reason on the draft's page.
  const { service_id } = presented;
  const service = service_id === null ? undefined : await findFormService(deps, request, service_id);
  return { draft: referral, service };
}

/** The form as the draft has it. */
function formOfDraft(draft: Draft, service: FormService): { form: ReferralForm; mustAskSharing: boolean } {
  const stored = formOf(draftInputOf(draft));
  const mustAskSharing = wasAskedBeforeSensitive(draft, service);
  return {
    form: {
      ...stored,
      allow_duplicate: draft.content.duplicate_meant ? 'yes' : '',
      // Nobody was asked, and a practice that is named later has the question open.
      ...(draft.content.no_practice && {
        gp_from: 'none',
        share_with_gp: stored.share_with_gp === 'no' ? '' : stored.share_with_gp,
      }),
      ...(mustAskSharing && { share_with_gp: 'no' }),
    },
    mustAskSharing,
  };
}

/** The form as the draft has it, with the practice that it names. */
export type StoredForm = {
  service: FormService;
  form: ReferralForm;
  practice: PracticeChoice;
  action: string;
  mustAskSharing: boolean;
};

export async function readStoredForm(
  deps: ReferralDeps,
  draft: Draft,
  service: FormService,
): Promise<StoredForm> {
  const { form, mustAskSharing } = formOfDraft(draft, service);
  const practice = await choosePractice(deps, form);
  return { service, form, practice, action: editPath(draft.id), mustAskSharing };
}

/** What the form asks for before the draft can be sent, in its own words, each with the address of its field. */
export function missingAnswers(
  deps: Pick<WebPlatform, 'settings' | 'clock'>,
  filled: StoredForm,
): { text: string; href: string }[] {
  const { form, action, mustAskSharing } = filled;
  const asksAgain = mustAskSharing
    ? [{ text: 'Say again what the GP practice may know', href: `${action}#share_with_gp` }]
    : [];
  try {
    readCompleteForm(deps, filled);
    return asksAgain;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { summary } = explainReferralErrors(error.errors ?? [], form, 'saved');
    return [...asksAgain, ...summary.map(({ text, href = '' }) => ({ text, href: action + href }))];
  }
}

export const editPath = (id: string) => `/referrals/${id}/edit`;
/** The page that asks whether it is the right person, before the draft is sent. */
export const checkPath = (id: string) => `/referrals/${id}/check`;
