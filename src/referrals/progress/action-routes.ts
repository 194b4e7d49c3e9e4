import { type TSchema, Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { type App, emptyBody, noOtherFields, problemAnswers, withToken } from '../../platform/http/index.ts';
import { sideInWords } from '../model/access/access.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { sendReferral, versionSeen } from '../model/presentation/http.ts';
import { gpActionsSchema, longText } from '../model/schemas/new-referral.ts';
import { outcomeSchema } from '../model/schemas/referral.ts';
import {
  badBody,
  idParams,
  ifMatchHeaders,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  staleVersion,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import {
  type Action,
  actionRules,
  actions,
  actionsThatMayMeanDeclined,
  reasonsAccepted,
  sidesAllowed,
  suggestingActions,
  waitActions,
} from '../model/status/state-machine.ts';
import type { ActionBody } from './apply-action.ts';
import { takeAction } from './take-action.ts';

type Description = { operationId: string; summary: string; description: string };

const descriptions: Readonly<Record<Action, Description>> = {
  accept: {
    operationId: 'acceptReferral',
    summary: 'Accept a referral',
    description: 'The service takes the person on.',
  },
  reject: {
    operationId: 'rejectReferral',
    summary: 'Reject a referral',
    description: 'The service cannot take the person on; the reason tells the referrer what to do instead.',
  },
  start: {
    operationId: 'startReferral',
    summary: 'Start on a referral',
    description: 'The service has begun to support the person.',
  },
  hold: {
    operationId: 'holdReferral',
    summary: 'Put a referral on the waiting list',
    description:
      'The person waits for a place; `expected_date` says when there may be one, and is today or later, within a year.',
  },
  'change-wait': {
    operationId: 'changeWait',
    summary: 'Say why or until when the person still waits',
    description:
      'Replaces the reason and the date that the referral has on the waiting list. What you leave out is removed.',
  },
  complete: {
    operationId: 'completeReferral',
    summary: 'Complete a referral',
    description:
      'The service has done what it was asked; the outcome goes to the referrer and, as the person agreed, to their GP practice.',
  },
  fail: {
    operationId: 'failReferral',
    summary: 'Close a referral without completing it',
    description: 'The service took the person on, and could not help.',
  },
  cancel: {
    operationId: 'cancelReferral',
    summary: 'Cancel a referral',
    description:
      'Nobody is to do anything more about it. Before it is accepted, only the referrer may cancel it.',
  },
  'withdraw-as-error': {
    operationId: 'withdrawReferral',
    summary: 'Withdraw a referral that was sent by mistake',
    description: 'It should not have been made: another person was meant, or another service.',
  },
};

/** `POST /api/referrals/{id}/<action>`, one route per action. */
export function actionRoutes(app: App, deps: ReferralDeps): void {
  for (const action of actions) {
    const { description, ...names } = descriptions[action];
    const sides = sidesAllowed(action)
      .map((side) => sideInWords[side])
      .join(' and ');
    const from = Object.keys(actionRules[action].from).join(', ');
    app.post(
      `/api/referrals/:id/${action}`,
      {
        config: { access: withToken(), scope: 'referrals:write' },
        schema: {
          ...names,
          description: `${description} For ${sides}. Possible from: ${from}.${mayReportDeath(action) ? ` ${aboutDeath}` : ''}`,
          tags,
          params: idParams,
          headers: ifMatchHeaders,
          body: { ...actionSchemas[action], examples: [actionExamples[action]] },
          response: {
            200: theReferral,
            ...problemAnswers({
              ...badBody,
              ...staleVersion,
              403: `This is for ${sides}${mayReportDeath(action) ? ', and the reason died is for people: a system account may not give it' : ''}.${orServiceHidden}`,
              404: notYours,
              409: `The status does not allow this, or a reported death must be dealt with first. ${restrictedOrErased}`,
              ...(actionRules[action].requires === 'outcome' && {
                422: 'A measure is out of its range, or a date for the GP practice is in the past.',
              }),
              ...(actionsThatMayMeanDeclined.includes(action) && {
                422: `declines_social_prescribing is only for the reason client-declined.${suggestingActions.includes(action) ? ' Or no referrals can be made to the service that is suggested.' : ''}`,
              }),
              ...(waitActions.includes(action) && {
                422: 'The date is in the past, or more than a year away.',
              }),
            }),
          },
        },
      },
      async (request, reply) => {
        const { id: referralId } = request.params;
        const body = request.body as ActionBody;
        const actionRequest = { referralId, version: versionSeen(request), ipAddress: request.ip, body };
        return sendReferral(reply, await takeAction(deps, requireCaller(request), action, actionRequest));
      },
    );
  }
}

const mayReportDeath = (action: Action) =>
  actionRules[action].requires === 'reason' && reasonsAccepted(action).includes('died');

const aboutDeath =
  'With the reason `died` it tells the death as well, as `…/died` does, and confirms it for this referral: nothing more is sent about any other open referral of the person, `to_confirm` has those that you may confirm with `…/died/confirm`, and `…/died/undo` takes it all back.';

/** What the list of reasons for an action is called in the API document. */
const reasonLists: Readonly<Partial<Record<Action, string>>> = {
  reject: 'RejectionReasonCode',
  hold: 'WaitReasonCode',
  'change-wait': 'WaitReasonCode',
  fail: 'EndReasonCode',
  cancel: 'EndReasonCode',
  'withdraw-as-error': 'WithdrawalReasonCode',
};

const reasonSchema = (action: Action) =>
  Type.Object(
    {
      code: Type.Enum(reasonsAccepted(action), { title: reasonLists[action]! }),
      text: longText('The reason in words, for the other side to read.'),
    },
    noOtherFields,
  );

/** An end that the person may have wanted. */
const endBody = (action: Action) =>
  Type.Object(
    {
      status_reason: reasonSchema(action),
      declines_social_prescribing: Type.Optional(
        Type.Boolean({
          description:
            'The person declines social prescribing altogether, and not this service alone. Only with the reason `client-declined`. The letter to the GP practice then has the code for it (SNOMED CT 871711000000103).',
        }),
      ),
      ...(suggestingActions.includes(action) && {
        suggested_service_id: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description:
              'The id of another service that may help the person: one that takes referrals here and is not sensitive. The referrer sees it, and can refer the person there.',
          }),
        ),
      }),
    },
    noOtherFields,
  );
const waitBody = (action: Action) =>
  Type.Object(
    {
      status_reason: reasonSchema(action),
      expected_date: Type.Optional(
        Type.String({
          format: 'date',
          description: 'When a place is expected, if that is known. At most a year away.',
        }),
      ),
    },
    noOtherFields,
  );

/** The body of each action. */
export const actionSchemas: Readonly<Record<Action, TSchema>> = {
  accept: emptyBody,
  reject: endBody('reject'),
  start: emptyBody,
  hold: waitBody('hold'),
  'change-wait': waitBody('change-wait'),
  complete: Type.Object(
    { outcome: outcomeSchema, gp_actions: Type.Optional(gpActionsSchema) },
    noOtherFields,
  ),
  fail: endBody('fail'),
  cancel: endBody('cancel'),
  'withdraw-as-error': Type.Object(
    { status_reason: Type.Optional(reasonSchema('withdraw-as-error')) },
    noOtherFields,
  ),
};

/** The body of each action in the story that the reference tells: `src/reference/document/example-story.ts` has the answers. */
export const actionExamples = {
  accept: {},
  reject: { status_reason: { code: 'no-capacity', text: 'No volunteer is free until January.' } },
  start: {},
  hold: {
    status_reason: { code: 'no-capacity', text: 'A volunteer for her part of the town starts after Easter.' },
    expected_date: '2027-04-05',
  },
  'change-wait': {
    status_reason: {
      code: 'no-capacity',
      text: 'The new volunteer has moved away; the next ones start in summer.',
    },
    expected_date: '2027-06-28',
  },
  complete: {
    outcome: {
      code: 'goals-met',
      text: 'She has a visitor every week, and sings with her.',
      measures: [
        { code: 'ons4-life-satisfaction', stage: 'start', value: 3 },
        { code: 'ons4-life-satisfaction', stage: 'end', value: 7 },
      ],
    },
    gp_actions: [
      {
        text: 'Please check her blood pressure: she was dizzy twice during visits.',
        by_date: '2027-03-01',
        asked_by: 'Petra Provider, The Weir House Trust, 01632 960 200',
        patient_told: true,
      },
    ],
  },
  fail: { status_reason: { code: 'failed-contact', text: 'Four calls and two letters were not answered.' } },
  cancel: { status_reason: { code: 'client-declined', text: 'She would rather stay at home for now.' } },
  'withdraw-as-error': { status_reason: { code: 'other', text: 'It was meant for another person.' } },
} satisfies Readonly<Record<Action, object>>;
