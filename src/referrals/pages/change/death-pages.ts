import { requireCaller } from '../../../accounts/index.ts';
import {
  fieldError,
  joinDate,
  readFields,
  readUntrimmedFields,
  trimToUndefined,
} from '../../../platform/html/index.ts';
import { type App, describeErrors, validatorOf } from '../../../platform/http/index.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { confirmDeath } from '../../endings/confirm-death.ts';
import { deathSchema } from '../../endings/death-routes.ts';
import { reportDeath } from '../../endings/report-death.ts';
import { undoDeath } from '../../endings/undo-death.ts';
import { showReferral } from '../referral/referral-page.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import { type ChangeDeps, changeFormRoute, explainConflict, showChange } from './show-change.ts';

/** The form that reports a death, and the buttons that confirm it or take it back. */
export function deathPages(app: App, deps: ChangeDeps): void {
  app.post('/referrals/:id/died', changeFormRoute, async (request, reply) => {
    const { id: referralId } = request.params;
    const values = readUntrimmedFields(request.body, ['told_by', 'died_day', 'died_month', 'died_year']);
    const date = joinDate([values.died_year, values.died_month, values.died_day]);
    const body = { told_by: trimToUndefined(values.told_by) ?? '', ...(date !== undefined && { date }) };
    const refuse = (field: string, text: string) =>
      showChange(deps, request, reply, 'died', {
        status: unprocessable.status,
        values,
        errors: fieldError(field, text),
      });
    const [error] = describeErrors(validatorOf(deathSchema).Errors(body), '');
    if (error?.pointer === '/date')
      return refuse('died_day', 'The date must be a real date, like 20 11 2026');
    if (error) return refuse('told_by', 'Enter who told you');
    try {
      const report = { referralId, toldBy: body.told_by, date: date ?? null, ipAddress: request.ip };
      await reportDeath(deps, requireCaller(request), report);
      return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'died'), 303);
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      if (refusal.kind === unprocessable)
        return refuse('died_day', `The date ${refusal.errors?.[0]?.message ?? 'is wrong'}`);
      return showChange(deps, request, reply, 'died', { ...explainConflict(refusal), values });
    }
  });

  app.post('/referrals/:id/died/confirm', changeFormRoute, async (request, reply) => {
    const { id: referralId } = request.params;
    await confirmDeath(deps, requireCaller(request), { referralId, ipAddress: request.ip });
    return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'died-confirmed'), 303);
  });

  app.post('/referrals/:id/died/undo', changeFormRoute, async (request, reply) => {
    const { id: referralId } = request.params;
    const { undo_reason } = readFields(request.body, ['undo_reason']);
    const reason = trimToUndefined(undo_reason);
    try {
      await undoDeath(deps, requireCaller(request), { referralId, reason, ipAddress: request.ip });
    } catch (refusal) {
      const message = refusal instanceof Problem ? refusal.errors?.[0]?.message : undefined;
      if (message === undefined) throw refusal;
      return showReferral(deps, request, reply, referralId, {
        status: unprocessable.status,
        values: { undo_reason: undo_reason ?? '' },
        errors: fieldError(
          'undo_reason',
          reason === undefined ? 'Say how you know it' : `What you wrote ${message}`,
        ),
        tried: 'undo_reason',
      });
    }
    return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'died-undone'), 303);
  });
}
