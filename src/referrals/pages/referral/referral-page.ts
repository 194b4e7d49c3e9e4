import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { fieldError, successBanner } from '../../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { unprocessable } from '../../../platform/problem/index.ts';
import { deskState, findQuestionnaireDesk } from '../../model/after-acceptance/questionnaire-desks-store.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { riskHelp } from '../../submit/checks/require-risk-acted-on.ts';
import type { FormErrors } from '../form-errors.ts';
import { emptyActionForm } from './action-form.ts';
import { backAndNextLinks, listSuffix } from './came-from.ts';
import { readFullReferral } from './view/full-referral.ts';
import { referralView } from './view/referral-view.ts';

/** What the page says after a form was sent. */
export const referralDone = successBanner({
  sent: 'The referral was sent. This page shows how far it has come.',
  draft: 'The draft was saved.',
  'seen-to': 'You have said that the person was helped another way. This referral no longer waits for you.',
  correct: 'The corrections were saved, and everybody who has to know is told.',
  transferred:
    'The referral is now with the other service. The referrer is told at once, and the due date stays as it was.',
  agreement:
    'What the person agrees to was saved. “Who has been told” shows who has a letter already: tell them yourself.',
  'things-have-changed':
    'The other side is told what has changed, and is asked to confirm that they have read it.',
  died: 'Nothing is sent about your referrals of this person now. Confirm it for each referral. If it was a mistake, your organisation can take it back here.',
  'died-told':
    'The referral has ended, because the person has died. Nothing is sent about their other open referrals until somebody has confirmed it for each.',
  'died-confirmed': 'The referral has ended, because the person has died.',
  'died-undone':
    'The referral is as it was before. Everybody who was told of the death gets a letter that says it was a mistake.',
  'ending-undone':
    'The referral is open again, and the service is told. Telephone them, so that it is not ended by mistake a second time.',
  'ending-confirmed': 'Thank you. If the person agreed that their GP practice is told, it is told now.',
  prompt: 'You have dealt with it. Nobody is told of it again.',
  assigned: 'The owner was changed. Your colleagues see it here and in the list.',
  unassigned: 'Nobody of your organisation is the owner now.',
  goals: 'The goals were saved, and everybody who has to know is told.',
  measure: 'The measure was added.',
  questionnaire:
    'The answers were saved. Next: look under “Measures” whether one of them needs somebody to look into it.',
  'page-sent':
    'The link is sent now, unless another record makes it unsafe. Ask the person whether an email came that says “You have a message”.',
  'page-ended': 'The links to the person’s page have ended. Nobody can open it now.',
  reached: 'The contact was logged. Next: select “Start supporting the person” when you begin.',
  'reached-again': 'The contact was logged. Next: complete the referral when the support ends.',
  'reached-waiting': 'The contact was logged. Next: start when there is a place.',
  'not-reached':
    'The contact was logged. Next: try again at another time. If you cannot reach the person, message the referrer.',
  appointment: 'The appointment was booked.',
  'appointment-cancelled': 'The appointment was cancelled.',
  note: 'The note was saved. Only your organisation can read it.',
  reminder:
    'The reminder was set. On that day the referral is under “Needs action”, and you get an email if you want that.',
  'reminder-removed': 'The reminder was removed.',
  read: 'You have confirmed that you have read what changed.',
  accept:
    'You accepted the referral, and the referrer is told. Next: contact the person, and select “Start supporting the person” when you begin.',
  reject:
    'You declined the referral. Next: nothing for you. The referrer is told, and finds the person other support.',
  start:
    'You started to support the person, and the referrer is told. Next: complete the referral when the support ends, with what changed for the person.',
  hold: 'The person is on your waiting list, and the referrer is told. Next: start when there is a place, and check by the due date that it is still safe to wait.',
  'change-wait': 'The waiting list was changed, and the referrer is told. Next: start when there is a place.',
  complete:
    'The referral is complete. Next: nothing for you. “Who has been told” shows when the referrer and the practice have the outcome.',
  fail: 'The referral was closed without completing. Next: nothing for you. The referrer is told, and finds the person other support.',
  cancel: 'The referral was cancelled, and the other organisation is told. Next: tell the person.',
  'withdraw-as-error':
    'It was withdrawn, and a service that has it is told. Next: if the person still needs help, make a new referral.',
  message: 'Your message was sent. Next: the other organisation is told, and its answer appears here.',
  question: 'You have said that the question needs no answer. It no longer waits for you.',
  file: 'The file was attached. Next: nothing. The other organisation sees it here.',
  opened: 'You can see the whole referral for an hour. The referrer’s organisation can read your reason.',
  'gp-action': 'It is marked as done by hand. The practice is not asked for it again.',
});

type Done = Parameters<typeof referralDone.path>[1];

/** The part of the page beside which a message stands, where the form that was sent is further down. */
const partOf: { readonly [Code in Done]?: string } = {
  message: 'messages',
  question: 'messages',
  file: 'files',
  reached: 'contacts',
  'reached-again': 'contacts',
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

/** The path of a referral’s page. */
export function referralPath(id: string): string {
  return `/referrals/${encodeURIComponent(id)}`;
}

/** Where a form of the page leads to: the page, at its success message. The list that somebody came from is kept. */
export function pathAfter(request: Pick<Request, 'query'>, id: string, done: Done): string {
  const suffix = listSuffix(request);
  const anchor = partOf[done] === undefined ? '' : '#done';
  return referralDone.path(referralPath(id), done) + suffix.replace('?', '&') + anchor;
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
const querystring = Type.Object({ done: referralDone.query }, { additionalProperties: true });

/** The page of one referral. */
export function singleReferralPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn());
  app.get('/referrals/:id', { config, schema: { hide: true, params, querystring } }, (request, reply) =>
    showReferral(deps, request, reply, request.params.id, undefined, request.query.done),
  );
}

export async function showReferral(
  deps: ReferralDeps & WebPlatform,
  request: Request,
  reply: Reply,
  id: string,
  refused?: RefusedForm,
  done?: Done,
): Promise<Reply> {
  const full = await readFullReferral(deps, requireCaller(request), id, request.ip, 'all');
  if (refused) reply.code(refused.status);
  const desk = await findQuestionnaireDesk(deps.db, full.referral.referrerOrganisationId);
  const words = referralDone.words(done);
  const part = done && partOf[done];
  return deps.pages.send(request, reply, 'referrals/pages/templates/referral/referral.njk', {
    ...(await backAndNextLinks(deps, requireCaller(request), request, id)),
    keep: listSuffix(request),
    ...referralView(deps.settings, full),
    ...(deskState(desk) !== 'on' && { questionnaires: [] }),
    crisisHelp: riskHelp(deps.settings),
    formToken: newId(deps.clock.now().getTime()),
    values: { ...emptyActionForm, ...refused?.values },
    errors: refused?.errors,
    tried: refused?.tried,
    ...(part === undefined ? { done: words } : { doneBeside: { part, words } }),
  });
}
