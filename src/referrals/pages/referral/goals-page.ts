import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { requireRefusal, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import { correctReferral } from '../../corrections/correct-referral.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import type { Goal } from '../../model/person/needs.ts';
import type { FormErrors } from '../form-errors.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import { type GoalRow, goalsForm, readGoals } from './goals-form.ts';
import { readFullReferral } from './view/full-referral.ts';
import { referralView } from './view/referral-view.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The form of the goals: both sides set them, and say what came of each. */
export function goalsPage(app: App, deps: Deps): void {
  const config = page(signedIn());
  app.get('/referrals/:id/goals', { config, schema: { hide: true, params } }, (request, reply) =>
    showGoals(deps, request, reply),
  );
  app.post(
    '/referrals/:id/goals',
    { config, schema: { hide: true, params, body: anyForm } },
    async (request, reply) => {
      const { id: referralId } = request.params;
      const { rows, goals, errors } = readGoals(request.body);
      const refuse = (status: number, errors: FormErrors) =>
        showGoals(deps, request, reply, { status, rows, errors });
      if (errors) return refuse(unprocessable.status, errors);
      const { version } = readUntrimmedFields(request.body, ['version']);
      const expected = { referralId, version: Number(version), ipAddress: request.ip };
      try {
        await correctReferral(deps, requireCaller(request), { ...expected, correction: { goals } });
      } catch (problem) {
        requireRefusal(problem, [versionStale]);
        const text =
          'The referral has changed since you opened this page. Check the goals, and save them again';
        return refuse(versionStale.status, { summary: [{ text }], fields: {} });
      }
      return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'goals'), 303);
    },
  );
}

async function showGoals(
  deps: Deps,
  request: Request & { params: { id: string } },
  reply: Reply,
  refused?: { status: number; rows: GoalRow[]; errors: FormErrors },
): Promise<Reply> {
  const full = await readFullReferral(deps, requireCaller(request), request.params.id, request.ip);
  const view = referralView(deps.settings, full);
  if (!view.canChange) return reply.redirect(referralPagePath(request.params.id), 303);
  if (refused) reply.code(refused.status);
  const goals = (full.referral.content.goals ?? []) as Goal[];
  return deps.pages.send(request, reply, 'referrals/pages/templates/referral/goals.njk', {
    ...view,
    ...goalsForm(goals, refused?.rows),
    errors: refused?.errors,
  });
}
