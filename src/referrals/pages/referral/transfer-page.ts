import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import { listTransferTargets, transferReferral } from '../../corrections/transfer-referral.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { doesNotFit, wrongState } from '../../model/problems.ts';
import type { Referral } from '../../model/referral.ts';
import { type FormErrors, formErrors } from '../form-errors.ts';
import { referralPagePath } from '../referral-page-address.ts';
import { listSuffix } from './list-links.ts';
import { pathAfter } from './referral-page.ts';
import { readFullReferral } from './view/full-referral.ts';
import { referralView } from './view/referral-view.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const fieldNames = ['service_id', 'reason', 'fit_reason'] as const;
type FieldName = (typeof fieldNames)[number];

type RefusedTransfer = {
  status: number;
  values: Record<string, string>;
  errors: FormErrors;
  /** The service's telephone number, where the person is outside its ages or area. */
  misfit?: Problem['extra'];
};

/** The form by which staff move a referral to another service of their organisation. */
export function transferPage(app: App, deps: Deps): void {
  const config = page(signedIn('provider'));
  const path = '/referrals/:id/transfer';
  app.get(path, { config, schema: { hide: true, params } }, (request, reply) =>
    showTransfer(deps, request, reply, request.params.id),
  );
  app.post(path, { config, schema: { hide: true, params, body: anyForm } }, async (request, reply) => {
    const { id: referralId } = request.params;
    const values = readUntrimmedFields(request.body, [...fieldNames, 'version']);
    const reason = values.reason.trim();
    const fitReason = values.fit_reason.trim();
    const missing = [
      ...(values.service_id === '' ? [{ field: 'service_id', text: 'Select a service' } as const] : []),
      ...(reason === '' ? [{ field: 'reason', text: 'Enter why you are transferring it' } as const] : []),
    ];
    if (missing.length > 0) {
      const errors = formErrors<FieldName>(fieldNames, missing);
      return showTransfer(deps, request, reply, referralId, { status: unprocessable.status, values, errors });
    }
    const transfer = {
      service_id: values.service_id,
      reason,
      ...(fitReason !== '' && { fit_override: { reason: fitReason } }),
    };
    const expected = { referralId, version: Number(values.version), ipAddress: request.ip };
    try {
      await transferReferral(deps, requireCaller(request), { ...expected, transfer });
      return reply.redirect(pathAfter(request, referralId, 'transferred'), 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return showTransfer(deps, request, reply, referralId, { ...explainRefusal(error), values });
    }
  });
}

/** @throws the problem itself where the form cannot say what to do. */
function explainRefusal(problem: Problem): Pick<RefusedTransfer, 'status' | 'errors' | 'misfit'> {
  const { status } = problem.kind;
  if (problem.kind === doesNotFit)
    return { status, errors: formErrors(fieldNames, [misfitError]), misfit: problem.extra };
  if (problem.kind === unprocessable && problem.errors)
    return { status, errors: formErrors(fieldNames, problem.errors.map(inWords)) };
  const text = new Map([
    [versionStale, 'The referral has changed since you opened this page. Check it, and transfer it again'],
    [wrongState, 'The referral has moved on since you opened this page, so nothing was changed'],
  ]).get(problem.kind);
  if (text === undefined) throw problem;
  return { status, errors: { summary: [{ text }], fields: {} } };
}

const misfitError = {
  field: 'fit_reason',
  text: 'The person is outside the ages or the area of this service. Select another, or say why it takes them',
} as const;

function inWords({ pointer, message }: FieldError): { field: FieldName; text: string } {
  if (pointer === '/service_id') return { field: 'service_id', text: `The service ${message}` };
  return { field: pointer === '/reason' ? 'reason' : 'fit_reason', text: message };
}

async function showTransfer(
  deps: Deps,
  request: Request,
  reply: Reply,
  id: string,
  refused?: RefusedTransfer,
): Promise<Reply> {
  const full = await readFullReferral(deps, requireCaller(request), id, request.ip);
  const view = referralView(deps.settings, full);
  // Somebody who may not (or no longer) transfer it sees the referral's page.
  if (!view.canTransfer) return reply.redirect(referralPagePath(id), 303);
  if (refused) reply.code(refused.status);
  return deps.pages.send(request, reply, 'referrals/pages/templates/referral/transfer.njk', {
    ...view,
    listSuffix: listSuffix(request),
    services: await listTransferTargets(deps, full.referral as Referral),
    values: refused?.values ?? {},
    errors: refused?.errors,
    misfit: refused?.misfit,
  });
}
