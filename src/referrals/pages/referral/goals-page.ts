import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import {
  type App,
  anyForm,
  describeErrors,
  page,
  type Reply,
  type Request,
  signedIn,
  validatorOf,
} from '../../../platform/http/index.ts';
import { compact } from '../../../platform/objects.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import { correctReferral } from '../../corrections/correct-referral.ts';
import { type Correction, correctionSchema } from '../../corrections/correction.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { type Goal, goalResultItems, needGroups } from '../../model/person/needs.ts';
import { errorText, type FormErrors, formErrors } from '../form-errors.ts';
import { referralDone, referralPath } from './referral-page.ts';
import { readFullReferral } from './view/full-referral.ts';
import { referralView } from './view/referral-view.ts';

type Deps = ReferralDeps & WebPlatform;
type Row = { text: string; need: string; result: string };

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const maxGoals = 20;
const spareRows = 3;

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
      const rows = readRows(request.body);
      // An emptied row takes its goal away.
      const filled = rows.filter((row) => trimToUndefined(row.text) !== undefined || row.result !== '');
      const correction = { goals: filled.map(goalFrom) };
      const refuse = (status: number, errors: FormErrors) =>
        showGoals(deps, request, reply, { status, rows, errors });
      const errors = describeErrors(validatorOf(correctionSchema).Errors(correction), '');
      if (errors.length > 0)
        return refuse(
          unprocessable.status,
          explain(errors, (index) => rows.indexOf(filled[index]!)),
        );
      const { version } = readUntrimmedFields(request.body, ['version']);
      const change = { referralId, version: Number(version), ipAddress: request.ip };
      try {
        await correctReferral(deps, requireCaller(request), {
          ...change,
          correction: correction as Correction,
        });
      } catch (problem) {
        if (!(problem instanceof Problem) || problem.kind !== versionStale) throw problem;
        const text =
          'The referral has changed since you opened this page. Check the goals, and save them again';
        return refuse(versionStale.status, { summary: [{ text }], fields: {} });
      }
      return reply.redirect(referralDone.path(referralPath(referralId), 'goals'), 303);
    },
  );
}

function readRows(body: unknown): Row[] {
  return Array.from({ length: maxGoals }, (_, index) => {
    const names = (['text', 'need', 'result'] as const).map((part) => `goal_${index + 1}_${part}`);
    const values = readUntrimmedFields(body, names);
    return { text: values[names[0]!]!, need: values[names[1]!]!, result: values[names[2]!]! };
  });
}

function goalFrom({ text, need, result }: Row): object {
  return {
    text: trimToUndefined(text) ?? '',
    ...compact({ need: trimToUndefined(need), result: trimToUndefined(result) }),
  };
}

/** @param rowOf the row of the form that a goal was read from */
function explain(errors: readonly FieldError[], rowOf: (index: number) => number): FormErrors {
  const names = Array.from({ length: maxGoals }, (_, index) => `goal_${index + 1}_text`);
  const field = { label: 'The goal', empty: 'Enter the goal' };
  return formErrors(
    names,
    errors.map((error) => {
      const index = Number(/^\/goals\/(\d+)/.exec(error.pointer)?.[1] ?? 0);
      const isText = error.pointer.endsWith('/text');
      return {
        field: names[rowOf(index)],
        text: errorText(field, isText && error.code === 'minLength' ? '' : 'typed', error),
      };
    }),
  );
}

async function showGoals(
  deps: Deps,
  request: Request & { params: { id: string } },
  reply: Reply,
  refused?: { status: number; rows: Row[]; errors: FormErrors },
): Promise<Reply> {
  const full = await readFullReferral(deps, requireCaller(request), request.params.id, request.ip);
  const view = referralView(deps.settings, full);
  if (!view.canChange) return reply.redirect(referralPath(request.params.id), 303);
  if (refused) reply.code(refused.status);
  const goals = (full.referral.content.goals ?? []) as Goal[];
  const shown = Math.min(goals.length + spareRows, maxGoals);
  const rows = refused?.rows ?? goals.map(({ text, need = '', result = '' }) => ({ text, need, result }));
  const used = rows.findLastIndex(({ text, result }) => text !== '' || result !== '') + 1;
  return deps.pages.send(request, reply, 'referrals/pages/templates/referral/goals.njk', {
    ...view,
    rows: Array.from(
      { length: Math.max(shown, used) },
      (_, index) => rows[index] ?? { text: '', need: '', result: '' },
    ),
    needItems: needGroups.flatMap(({ items }) => items),
    resultItems: goalResultItems,
    errors: refused?.errors,
  });
}
