import { requireCaller } from '../accounts/index.ts';
import { type App, problemAnswers, withToken } from '../platform/http/index.ts';
import { actionExamples } from './action-examples.ts';
import { actionSchemas } from './action-schemas.ts';
import { changeStatus } from './change-status.ts';
import type { ReferralDeps } from './deps.ts';
import { versionSeen } from './if-match.ts';
import {
  badBody,
  idParams,
  ifMatchHeaders,
  notYours,
  sendReferral,
  staleVersion,
  tags,
  theReferral,
} from './route-parts.ts';
import { type Action, actions, rules, sidesThatMay, waits } from './state-machine.ts';
import type { ActionBody } from './take-action.ts';

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
      'The person waits for a place; `expected_date` says when there may be one, and is today or later.',
  },
  'change-wait': {
    operationId: 'changeWait',
    summary: 'Say why or until when the person still waits',
    description:
      'Puts another reason and date in the place of those that the referral has on the waiting list; what is left out is gone.',
  },
  complete: {
    operationId: 'completeReferral',
    summary: 'Complete a referral',
    description:
      'The service has done what it was asked; the outcome goes to the referrer and, as the person agreed, to their GP practice.',
  },
  fail: {
    operationId: 'failReferral',
    summary: 'End a referral without a result',
    description: 'The service took the person on, and could not help.',
  },
  cancel: {
    operationId: 'cancelReferral',
    summary: 'Cancel a referral',
    description:
      'Nobody is to do anything more about it. Until it is accepted, that is the referrer’s to say.',
  },
  'withdraw-as-error': {
    operationId: 'withdrawReferral',
    summary: 'Withdraw a referral as made in error',
    description: 'It should not have been made: another person was meant, or another service.',
  },
};

const whose = { provider: 'staff of the service', referrer: 'the referrer’s organisation' };

/** `POST /api/referrals/{id}/<action>`, one route an action. */
export function actionRoutes(app: App, deps: ReferralDeps): void {
  for (const action of actions) {
    const { description, ...names } = descriptions[action];
    const sides = sidesThatMay(action)
      .map((side) => whose[side])
      .join(' and ');
    const from = Object.keys(rules[action].from).join(', ');
    app.post(
      `/api/referrals/:id/${action}`,
      {
        config: { access: withToken() },
        schema: {
          ...names,
          description: `${description} For ${sides}. Possible from: ${from}.`,
          tags,
          params: idParams,
          headers: ifMatchHeaders,
          body: { ...actionSchemas[action], examples: [actionExamples[action]] },
          response: {
            200: theReferral,
            ...problemAnswers({
              ...badBody,
              ...staleVersion,
              403: `This is for ${sides}.`,
              404: notYours,
              409: 'The referral is not in a state for that.',
              ...(rules[action].says === 'outcome' && { 422: 'A measure is out of its range.' }),
              ...(waits.includes(action) && { 422: 'The date is in the past.' }),
            }),
          },
        },
      },
      async (request, reply) => {
        const { id: referralId } = request.params;
        const body = request.body as ActionBody;
        const change = { referralId, version: versionSeen(request), address: request.ip, body };
        return sendReferral(reply, await changeStatus(deps, requireCaller(request), action, change));
      },
    );
  }
}
