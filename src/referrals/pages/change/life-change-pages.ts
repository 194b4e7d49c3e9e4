import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { fieldError, readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import { type App, describeErrors, validatorOf } from '../../../platform/http/index.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { confirmLifeChangeRead, newLifeChangeSchema, tellChange } from '../../corrections/tell-change.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import { type ChangeDeps, changeFormRoute, explainConflict, params, showChange } from './show-change.ts';

const changeParams = Type.Object({ ...params.properties, change_id: Type.String({ maxLength: 100 }) });

/** The form that tells the other side what has changed for the person, and the button that confirms having read it. */
export function lifeChangePages(app: App, deps: ChangeDeps): void {
  app.post('/referrals/:id/things-have-changed', changeFormRoute, async (request, reply) => {
    const { id: referralId } = request.params;
    const values = readUntrimmedFields(request.body, ['text', 'urgency']);
    const text = trimToUndefined(values.text) ?? '';
    const [error] = describeErrors(validatorOf(newLifeChangeSchema).Errors({ text }), '');
    if (error) {
      const words = text === '' ? 'Enter what has changed' : `What you wrote ${error.message}`;
      return showChange(deps, request, reply, 'things-have-changed', {
        status: unprocessable.status,
        values,
        errors: fieldError('text', words),
      });
    }
    const urgency = values.urgency === 'urgent' ? 'urgent' : undefined;
    try {
      await tellChange(deps, requireCaller(request), { referralId, text, urgency, ipAddress: request.ip });
      return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'things-have-changed'), 303);
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      const refused = explainConflict(refusal);
      return showChange(deps, request, reply, 'things-have-changed', { ...refused, values });
    }
  });

  app.post(
    '/referrals/:id/things-have-changed/:change_id/confirm',
    { ...changeFormRoute, schema: { ...changeFormRoute.schema, params: changeParams } },
    async (request, reply) => {
      const { id: referralId, change_id: changeId } = request.params;
      await confirmLifeChangeRead(deps, requireCaller(request), {
        referralId,
        changeId,
        ipAddress: request.ip,
      });
      return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'read'), 303);
    },
  );
}
