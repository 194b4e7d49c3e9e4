import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { type App, noOtherFields, problemAnswers, withToken } from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { lockForSides } from '../model/access/access.ts';
import { actorByLink, type LinkHolder } from '../model/actors/link-holder.ts';
import {
  maxMeasures,
  measureErrors,
  measureModes,
  measurers,
  type TakenMeasure,
  takenAtErrors,
} from '../model/after-acceptance/measures.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { keepAnswer, keyedForm, replayOrRefuse } from '../model/idempotency/idempotency.ts';
import { sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { nothingChangedProblem, wrongState } from '../model/problems.ts';
import { isSent, type Referral } from '../model/referral.ts';
import { measureFields } from '../model/schemas/referral.ts';
import {
  badBody,
  idParams,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { recordMeasures } from './record-measures.ts';

/** The body of new measures. */
export const newMeasuresSchema = Type.Object(
  {
    measures: Type.Array(
      Type.Object(
        {
          ...measureFields,
          taken_at: Type.Optional(
            Type.String({
              format: 'date-time',
              description:
                'When it was taken. Now, when left out. Not in the future, and at most a year ago.',
            }),
          ),
          by: Type.Enum([...measurers], {
            title: 'Measurer',
            description: 'Whether the person answered, or staff judged.',
          }),
          mode: Type.Optional(
            Type.Enum([...measureModes], { title: 'MeasureMode', description: 'How it was asked.' }),
          ),
        },
        { ...noOtherFields, title: 'NewMeasure' },
      ),
      { minItems: 1, maxItems: 20, description: 'What was measured, each at most once a stage.' },
    ),
  },
  { ...noOtherFields, title: 'NewMeasures' },
);

export type NewMeasures = Static<typeof newMeasuresSchema>['measures'];

/**
 * Adds measures to a referral, for either side. One that is taken again for the start or the end counts in place of the earlier one, which
 * stays in the list. The version stays, and nobody is emailed. A form that is sent twice counts once, and so does a measure that
 * equals an earlier one in every field.
 * @throws Problem `not-found`, `forbidden`, `wrong-state` for a draft or what was sent by mistake, `unprocessable`.
 */
export async function addMeasures(
  deps: ReferralDeps,
  caller: Caller,
  addition: { referralId: string; measures: NewMeasures; ipAddress: string; formToken?: string | undefined },
): Promise<PresentedReferral> {
  const { measures, ipAddress } = addition;
  const at = deps.clock.now();
  requireValidMeasures(measures, at);
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral } = await lockForSides(trx, caller, addition.referralId, at);
    const form = keyedForm(deps, caller.accountId, addition.formToken, { referral: referral.id, measures });
    if (await replayOrRefuse(trx, deps, form)) return loadAndPresent(trx, deps, caller, referral, at);
    if (!isSent(referral) || referral.status === 'entered-in-error')
      throw new Problem(wrongState, `It is ${referral.status}, so there is nothing to measure.`);
    const added = newMeasuresOf(referral, measures, at);
    const actor = actorOf(caller, ipAddress);
    const changed =
      added.length === 0 ? referral : await recordMeasures(trx, deps, referral, { added, actor, at });
    await keepAnswer(trx, form, { referralId: referral.id, answer: {}, at });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

/**
 * The same for somebody who answers by link, on a locked referral. The same measure twice counts once.
 * @throws Problem `unprocessable`
 */
export async function addMeasuresByLink(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { measures, at }: { measures: NewMeasures; at: Date },
  holder: LinkHolder,
): Promise<void> {
  requireValidMeasures(measures, at);
  const added = newMeasuresOf(referral, measures, at);
  if (added.length > 0) await recordMeasures(trx, deps, referral, { added, actor: actorByLink(holder), at });
}

function requireValidMeasures(measures: NewMeasures, at: Date): void {
  const errors = [...measureErrors(measures, '/measures'), ...takenAtErrors(measures, at)];
  if (errors.length > 0) throw nothingChangedProblem(errors);
}

/** The measures that the referral does not have yet, each with the time when it was taken. */
function newMeasuresOf(
  { content: { measures: known = [] } }: Referral,
  measures: NewMeasures,
  at: Date,
): TakenMeasure[] {
  return measures
    .map((each) => ({ ...each, taken_at: new Date(each.taken_at ?? at).toISOString() }))
    .filter((each) => !known.some((one) => isDeepStrictEqual(one, each)));
}

export function measuresRoute(app: App, deps: ReferralDeps): void {
  const schema = {
    operationId: 'addMeasures',
    tags,
    summary: 'Add measures of how the person is',
    description:
      'For either side. Send scores alone of SWEMWBS, WEMWBS, MYCaW and PAM, whose questions need a licence. `measure_changes` in the answer pairs the start with the end, and says whether that is better, the same or worse. A measure that is taken again for the start or the end counts in place of the earlier one. The same measure sent again with its `taken_at` counts once. It needs no `If-Match`, the version stays, and nobody is emailed.',
    params: idParams,
    body: {
      ...newMeasuresSchema,
      examples: [
        { measures: [{ code: 'ucla-3', stage: 'start', value: 7, by: 'person', mode: 'telephone' }] },
      ],
    },
    response: {
      200: theReferral,
      ...problemAnswers({
        ...badBody,
        403: `This is for the two sides of the referral.${orServiceHidden}`,
        404: notYours,
        409: `It is a draft, or was sent by mistake. ${restrictedOrErased}`,
        422: `A value is out of its range, a measure is given twice for a stage, a time is in the future or more than a year ago, or there are ${maxMeasures} measures already.`,
      }),
    },
  };
  const config = { access: withToken(), scope: 'referrals:write' } as const;
  app.post('/api/referrals/:id/measures', { config, schema }, async (request, reply) => {
    const { measures } = request.body as Static<typeof newMeasuresSchema>;
    const target = { referralId: request.params.id, ipAddress: request.ip, measures };
    return sendReferral(reply, await addMeasures(deps, requireCaller(request), target));
  });
}
