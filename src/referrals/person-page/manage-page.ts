import { type Static, Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { type App, noOtherFields, problemAnswers, withToken } from '../../platform/http/index.ts';
import { textLimitReached } from '../../platform/mail/index.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import { lockForSides } from '../model/access/access.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { personPageErrors } from '../model/person-page/person-page.ts';
import { endPersonPages, setPersonPage } from '../model/person-page/person-pages-store.ts';
import { sendReferral } from '../model/presentation/http.ts';
import { type PresentedReferral, presentStored } from '../model/presentation/present.ts';
import { nothingChangedProblem, wrongState } from '../model/problems.ts';
import { isSent, type Referral } from '../model/referral.ts';
import { setUpdated } from '../model/referrals-store.ts';
import {
  badBody,
  idParams,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { addressForPage, circumstancesOf, mayTextLink, sendPersonPage } from './send-link.ts';

type Target = { referralId: string; ipAddress: string };

/**
 * Ends all links to the person’s page at once. Either side can do it, on their own or because the person rang. A second time changes nothing.
 * @throws Problem `not-found`, `forbidden`, `referral-restricted`, `referral-erased`.
 */
export function endPersonPage(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, askedByPerson, ipAddress }: Target & { askedByPerson: boolean },
): Promise<PresentedReferral> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const at = deps.clock.now();
    const { referral } = await lockForSides(trx, caller, referralId, at);
    const reason = askedByPerson ? 'person' : 'staff';
    const count = await endPersonPages(trx, referral.id, { reason, byName: caller.name, at });
    if (count > 0 && isSent(referral)) {
      const details = { asked_by_person: askedByPerson };
      await noteChange(trx, deps, caller, { referral, action: 'person_page.ended', details, ipAddress, at });
    }
    return presentStored(trx, deps, caller, referral.id, at);
  });
}

/**
 * Sends the person a new link, after the referrer’s side has asked them again whether that is safe. The earlier links end.
 * @throws Problem `not-found`, `forbidden` for the service, `wrong-state` if nothing may be sent about the referral any more,
 * `unprocessable` if it is not safe, `referral-restricted`, `referral-erased`.
 */
export function sendPersonPageAgain(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, ipAddress }: Target,
): Promise<PresentedReferral> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const at = deps.clock.now();
    const { referral: before, sides } = await lockForSides(trx, caller, referralId, at);
    if (!sides.includes('referrer'))
      throw new Problem(forbidden, 'Only the referrer’s organisation can do that: it knows the person.');
    if (!isSent(before)) throw new Problem(wrongState, 'It is a draft. Set person_page in the draft.');
    const person_page = { send: true };
    const referral = { ...before, content: { ...before.content, person_page } };
    const errors = personPageErrors(referral.content, await circumstancesOf(trx, deps, referral));
    if (errors.length > 0) throw nothingChangedProblem(errors);
    const address = await addressForPage(trx, deps, referral);
    if (address !== undefined && !(await mayTextLink(trx, deps, referral, address)))
      throw nothingChangedProblem([{ pointer: '/send', message: textLimitReached }]);
    await setPersonPage(trx, referral.id, person_page);
    if (!(await sendPersonPage(trx, deps, referral, { byName: caller.name, at })))
      throw new Problem(
        wrongState,
        'Nothing is sent to the person about this referral now: it may not be safe. Ask the person how to contact them safely.',
      );
    await noteChange(trx, deps, caller, { referral, action: 'person_page.sent', ipAddress, at });
    return presentStored(trx, deps, caller, referral.id, at);
  });
}

type PageChange = {
  referral: Referral;
  action: 'person_page.ended' | 'person_page.sent';
  details?: Record<string, unknown>;
  ipAddress: string;
  at: Date;
};

async function noteChange(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  { referral, action, details, ipAddress, at }: PageChange,
): Promise<void> {
  await setUpdated(trx, referral.id, at);
  await deps.roomsAbove.onFollowUp(trx, { referral, kind: 'person-page', at });
  await recordAudit(trx, {
    at,
    actor: actorOf(caller, ipAddress),
    action,
    subject: { type: 'referral', id: referral.id },
    ...(details && { details }),
  });
}

const endSchema = Type.Object(
  {
    asked_by_person: Type.Optional(
      Type.Boolean({
        description: 'True if the person asked for it, for example by telephone. False when left out.',
      }),
    ),
  },
  noOtherFields,
);

const sendSchema = Type.Object(
  {
    send: Type.Literal(true, {
      description: 'True: you asked the person, and it is safe to send this to them.',
    }),
  },
  noOtherFields,
);

export function personPageRoutes(app: App, deps: ReferralDeps): void {
  const config = { access: withToken(), scope: 'referrals:write' } as const;
  const send = {
    operationId: 'sendPersonPage',
    tags,
    summary: 'Send the person a link to their own page',
    description:
      'For the referrer’s organisation, if it was not safe before or the person lost the link. Ask the person each time. The links that were sent before end. The same rules hold as for `person_page` of a new referral. It needs no `If-Match`, and the version stays.',
    params: idParams,
    body: { ...sendSchema, examples: [{ send: true }] },
    response: {
      200: theReferral,
      ...problemAnswers({
        ...badBody,
        403: `Only the referrer’s organisation can do that.${orServiceHidden}`,
        404: notYours,
        409: `Nothing is sent to the person about this referral now, or it is a draft. ${restrictedOrErased}`,
        422: 'It is not safe, or not possible, to send it: `errors` says why.',
      }),
    },
  };
  app.post('/api/referrals/:id/person-page', { config, schema: send }, async (request, reply) => {
    const target = { referralId: request.params.id, ipAddress: request.ip };
    return sendReferral(reply, await sendPersonPageAgain(deps, requireCaller(request), target));
  });

  const end = {
    operationId: 'endPersonPage',
    tags,
    summary: 'End the links to the person’s own page',
    description:
      'For both sides, at once: when it is no longer safe, or when the person asks for it. A second call changes nothing. It needs no `If-Match`, and the version stays.',
    params: idParams,
    body: { ...endSchema, examples: [{ asked_by_person: true }] },
    response: {
      200: theReferral,
      ...problemAnswers({
        ...badBody,
        403: `This is for the two sides of the referral.${orServiceHidden}`,
        404: notYours,
        409: restrictedOrErased,
      }),
    },
  };
  app.post('/api/referrals/:id/person-page/end', { config, schema: end }, async (request, reply) => {
    const { asked_by_person: askedByPerson = false } = request.body as Static<typeof endSchema>;
    const target = { referralId: request.params.id, ipAddress: request.ip, askedByPerson };
    return sendReferral(reply, await endPersonPage(deps, requireCaller(request), target));
  });
}
