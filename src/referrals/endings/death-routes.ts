import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { type App, noOtherFields, problemAnswers, withToken } from '../../platform/http/index.ts';
import { reasonSchema } from '../model/access/operator-reason.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { sendReferral, versionSeenIfSent } from '../model/presentation/http.ts';
import { toldBySchema } from '../model/schemas/new-referral.ts';
import { referralToConfirmExample, referralToConfirmSchema } from '../model/schemas/referral.ts';
import {
  badBody,
  idParams,
  notYours,
  optionalIfMatchHeaders,
  orServiceHidden,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { confirmDeath } from './confirm-death.ts';
import { reportDeath } from './report-death.ts';
import { undoDeath } from './undo-death.ts';

export const deathSchema = Type.Object(
  {
    told_by: toldBySchema,
    date: Type.Optional(
      Type.String({ format: 'date', description: 'When the person died, if that is known.' }),
    ),
  },
  noOtherFields,
);

const undoSchema = Type.Object(
  { reason: Type.Optional(reasonSchema) },
  {
    title: 'UndoneDeath',
    ...noOtherFields,
    examples: [{ reason: 'The ward rang: two patients were mixed up.' }],
  },
);

const answerSchema = Type.Object(
  {
    referrals: Type.Array(referralToConfirmSchema, {
      description: 'The open referrals of the person that you may confirm it for, one by one.',
    }),
  },
  { examples: [{ referrals: [referralToConfirmExample] }] },
);

const refusalsWhen = (wrongState: string) =>
  problemAnswers({
    ...badBody,
    403: `This is for the two sides of the referral. A system account may not confirm a death or take it back.${orServiceHidden}`,
    404: notYours,
    409: `${wrongState} ${restrictedOrErased}`,
    412: 'The referral has changed since the version in If-Match.',
  });

/** The calls that report a death, confirm it and take it back. */
export function deathRoutes(app: App, deps: ReferralDeps): void {
  reportRoute(app, deps);
  confirmRoute(app, deps);
  undoRoute(app, deps);
}

const config = { access: withToken(), scope: 'referrals:write' };

function reportRoute(app: App, deps: ReferralDeps): void {
  const tell = {
    operationId: 'reportDeath',
    tags,
    summary: 'Say that the person has died',
    description:
      'From this moment nothing is sent about any open referral of the person, no matter which organisation made it, and none is accepted, started or put on a waiting list (`409 wrong-state`). Both sides can still write to each other, correct details, and end it for another reason. Somebody of each referral then confirms it with `…/died/confirm`, which ends that referral, or takes it back with `…/died/undo`. Telling it twice changes nothing. Where a report of your organisation was taken back before, only the referrals of your organisation wait, and operators find out about any others. A referral that has ended is answered 409.',
    params: idParams,
    headers: optionalIfMatchHeaders,
    body: { ...deathSchema, examples: [{ told_by: 'Her daughter, by telephone', date: '2026-11-20' }] },
    response: {
      200: answerSchema,
      ...refusalsWhen('The referral has ended, or is a draft.'),
      ...problemAnswers({ 422: 'The date is in the future, or before the date of birth.' }),
    },
  };
  app.post('/api/referrals/:id/died', { config, schema: tell }, async (request) => {
    const { told_by, date } = request.body as { told_by: string; date?: string };
    const report = {
      referralId: request.params.id,
      version: versionSeenIfSent(request),
      toldBy: told_by,
      date: date ?? null,
      ipAddress: request.ip,
    };
    const referrals = await reportDeath(deps, requireCaller(request), report);
    return { referrals: referrals.map(({ id, reference, status }) => ({ id, reference, status })) };
  });
}

function confirmRoute(app: App, deps: ReferralDeps): void {
  const confirm = {
    operationId: 'confirmDeath',
    tags,
    summary: 'Confirm that the person has died',
    description:
      'Ends this referral with the reason `died`. What waited to be sent is not sent, and the GP practice is asked to say so if it is not true. If the referral had ended before for another reason, that stays, the history says that the death was confirmed, and what waited is sent. What was confirmed before is answered 409.',
    params: idParams,
    headers: optionalIfMatchHeaders,
    response: {
      200: theReferral,
      ...refusalsWhen('No death was reported, or somebody confirmed it before.'),
      ...problemAnswers({
        403: `This is for the two sides of the referral, and for people: no system account may.${orServiceHidden}`,
      }),
    },
  };
  app.post('/api/referrals/:id/died/confirm', { config, schema: confirm }, async (request, reply) => {
    const version = versionSeenIfSent(request);
    const confirmation = { referralId: request.params.id, version, ipAddress: request.ip };
    return sendReferral(reply, await confirmDeath(deps, requireCaller(request), confirmation));
  });
}

function undoRoute(app: App, deps: ReferralDeps): void {
  const undo = {
    operationId: 'undoDeath',
    tags,
    summary: 'Say that the person has not died',
    description:
      'For a report that was a mistake: `death_reported.may_undo` says whether you may take it back. The organisation that reported it may, and a service that confirmed it, through the referral where it did; an operator may with a `reason`. Every referral of the person is as it was before, also those that were ended because of it, and what waited is sent. Who had a letter that the person has died gets one that says it was a mistake. If an organisation on neither side reported it, either side may say that the person is alive until it confirms the death: only the referrals of their organisation go on, and operators are told.',
    params: idParams,
    headers: optionalIfMatchHeaders,
    body: Type.Optional(undoSchema),
    response: {
      200: theReferral,
      ...refusalsWhen('No death was reported.'),
      ...problemAnswers({
        403: 'You are neither of the organisation that reported it, nor of a service that confirmed it, nor an operator; or a system account. Or the service is hidden from you: open the referral with a reason first.',
        422: 'An operator gave no reason, one that says nothing, or one that names the person.',
      }),
    },
  };
  app.post('/api/referrals/:id/died/undo', { config, schema: undo }, async (request, reply) => {
    const version = versionSeenIfSent(request);
    const { reason } = request.body ?? {};
    const undoing = { referralId: request.params.id, version, reason, ipAddress: request.ip };
    return sendReferral(reply, await undoDeath(deps, requireCaller(request), undoing));
  });
}
