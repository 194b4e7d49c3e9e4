import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../accounts/index.ts';
import {
  type App,
  nonBlankPattern,
  noOtherFields,
  problemAnswers,
  withToken,
} from '../../platform/http/index.ts';
import { reasonSchema } from '../model/access/operator-reason.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { sendReferral } from '../model/presentation/http.ts';
import type { PresentedReferral } from '../model/presentation/present.ts';
import {
  erasureExample,
  holdExample,
  holdLiftingExample,
  liftingExample,
  restrictionExample,
} from '../model/schemas/examples.ts';
import { badBody, idParams, notYours, tags, theReferral } from '../model/schemas/route-parts.ts';
import {
  type ErasureGround,
  eraseReferral,
  erasureGrounds,
  type RecordChangeRequest,
  restrictReferral,
  unrestrictReferral,
} from './change-record.ts';
import { holdReferral, liftHold } from './legal-holds.ts';

type RecordAction = {
  name: string;
  operationId: string;
  summary: string;
  description: string;
  example: { reason: string };
  conflict: string;
  act: (deps: ReferralDeps, caller: Caller, request: RecordChangeRequest) => Promise<PresentedReferral>;
};

const recordActions: readonly RecordAction[] = [
  {
    name: 'restrict',
    operationId: 'restrictReferral',
    summary: 'Restrict a referral',
    description:
      'The person asked that nobody works with what the referral says (UK GDPR, article 18). Until that is lifted neither side reads or changes it, lists show its reference, service and status alone, and nothing of it is sent. Both sides get an email about it. If somebody may come to harm, or the referral is urgent, tell a person at the service first, and say so in `service_told`.',
    example: restrictionExample,
    conflict: 'The referral is restricted already, or was erased.',
    act: restrictReferral,
  },
  {
    name: 'unrestrict',
    operationId: 'unrestrictReferral',
    summary: 'Lift the restriction of a referral',
    description: 'Both sides read it and work with it again, and what waited to be sent is sent.',
    example: liftingExample,
    conflict: 'The referral is not restricted, or was erased.',
    act: unrestrictReferral,
  },
  {
    name: 'erase',
    operationId: 'eraseReferral',
    summary: 'Erase what a referral says',
    description:
      'Takes away who the person is, all that is clinical, messages, files, and what was sent, for good. The reference, the service, the status and the dates are left. A referral that somebody has still to act on has to be ended first. While a letter, a task of the GP practice or something dangerous is still open, deal with that first, or say in `told` who was told of it. Both sides get an email that it was erased.',
    example: erasureExample,
    conflict:
      'The referral is still open, is held or restricted, or was erased already. Or somebody is still owed something, which `detail` names, and `told` is missing.',
    act: eraseReferral,
  },
  {
    name: 'legal-hold',
    operationId: 'placeLegalHold',
    summary: 'Put a referral on legal hold',
    description:
      'The record may be needed in court, for an inquest, an inquiry or a complaint. Until that is lifted nothing erases it: not the end of its retention, and not a request. Both sides can keep working with it, and see that it is held.',
    example: holdExample,
    conflict: 'The referral is held already, or was erased.',
    act: holdReferral,
  },
  {
    name: 'lift-legal-hold',
    operationId: 'liftLegalHold',
    summary: 'Lift the legal hold of a referral',
    description: 'From then on the record can be erased again, on request or when its retention ends.',
    example: holdLiftingExample,
    conflict: 'The referral is not held, or was erased.',
    act: liftHold,
  },
];

const ground = Type.Enum(Object.keys(erasureGrounds) as ErasureGround[], {
  title: 'ErasureGround',
  description: `On which ground of UK GDPR, article 17(1), it is erased. ${Object.entries(erasureGrounds)
    .map(([code, words]) => `\`${code}\`: ${words}.`)
    .join(' ')} Without one nothing is erased, and the answer is 422.`,
});

function whoWasToldSchema({ title, who, description }: { title: string; who: string; description: string }) {
  return Type.Object(
    {
      who_was_told: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: nonBlankPattern,
        description: `${who} It must not name the person.`,
      }),
      when: Type.String({ format: 'date-time', description: 'When they were told. At most 7 days ago.' }),
    },
    { title, ...noOtherFields, description },
  );
}

const serviceTold = whoWasToldSchema({
  title: 'ServiceTold',
  who: 'Who at the service was told.',
  description: 'Whom you told at the service, which cannot read the referral any more.',
});
const whoWasTold = whoWasToldSchema({
  title: 'ToldOfWhatIsOpen',
  who: 'Who was told of what is still open.',
  description:
    'Whom you told of what is still open. The erasure takes it away from those who would have dealt with it.',
});

/** What operators do because of a person’s rights: one route for each action. */
export function recordKeepingRoutes(app: App, deps: ReferralDeps): void {
  for (const { name, example, conflict, act, ...described } of recordActions) {
    app.post(
      `/api/referrals/:id/${name}`,
      {
        config: { access: withToken('operator'), scope: 'records' },
        schema: {
          ...described,
          tags,
          params: idParams,
          body: Type.Object(
            {
              reason: reasonSchema,
              ...(name === 'erase' && { ground: Type.Optional(ground), told: Type.Optional(whoWasTold) }),
              ...(name === 'restrict' && { service_told: Type.Optional(serviceTold) }),
            },
            { ...noOtherFields, examples: [example] },
          ),
          response: {
            200: theReferral,
            ...problemAnswers({
              ...badBody,
              403: 'The account is not an operator’s.',
              404: notYours,
              409: conflict,
              422:
                name === 'erase'
                  ? 'The reason names the person, or says nothing, or there is no ground.'
                  : 'The reason names the person, or says nothing.',
            }),
          },
        },
      },
      async (request, reply) => {
        const body = request.body as Pick<RecordChangeRequest, 'reason' | 'ground' | 'service_told' | 'told'>;
        const changeRequest = { ...body, referralId: request.params.id, ipAddress: request.ip };
        return sendReferral(reply, await act(deps, requireCaller(request), changeRequest));
      },
    );
  }
}
