import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller, requireCallerIsPerson } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import {
  type App,
  listOf,
  listQuery,
  noOtherFields,
  orNull,
  pageOfWholeList,
  problemAnswers,
  withToken,
} from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import {
  type FieldError,
  forbidden,
  notFound,
  Problem,
  unprocessable,
} from '../../platform/problem/index.ts';
import { lockForSides, readAudited } from '../model/access/access.ts';
import { hideWords } from '../model/access/hide-words.ts';
import { writingSide } from '../model/access/sides.ts';
import { authorOf, historyActorOf, presentAuthor } from '../model/actors/authors.ts';
import { watchUntilSeen } from '../model/attention/watches.ts';
import { endWatches } from '../model/attention/watches-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { datesWithUrgency } from '../model/due/next-date.ts';
import type { Referral } from '../model/referral.ts';
import { longText, urgencySchema } from '../model/schemas/new-referral.ts';
import { authorSchema, moment } from '../model/schemas/referral.ts';
import {
  badBody,
  contentRefusals,
  idParams,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  tags,
} from '../model/schemas/route-parts.ts';
import { otherSide } from '../model/status/state-machine.ts';
import { changeContent } from './change-content.ts';
import { requireCorrectable } from './correct-referral.ts';
import {
  confirmLifeChange,
  insertLifeChange,
  type LifeChange,
  listLifeChanges,
} from './life-changes-store.ts';

type NewLifeChange = {
  referralId: string;
  text: string;
  urgency?: Referral['urgency'] | undefined;
  ipAddress: string;
};

/**
 * Tells the other side that something has changed for the person. It may make the referral urgent, and never less urgent. Somebody
 * of the other side confirms that they read it.
 * @throws Problem `not-found`, `forbidden`, `wrong-state` if the referral is not open, `unprocessable`.
 */
export async function tellChange(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, text, urgency, ipAddress }: NewLifeChange,
): Promise<LifeChange> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral: locked, sides } = await lockForSides(trx, caller, referralId, at);
    const referral = requireCorrectable(locked);
    if (urgency === 'routine' && referral.urgency === 'urgent')
      throw new Problem(unprocessable, undefined, { errors: [lessUrgent] });
    const raisedUrgency = urgency === 'urgent' && referral.urgency === 'routine';
    const side = writingSide(sides)!;
    const change = { id: newId(at.getTime()), at, side, ...authorOf(caller), text, raisedUrgency };
    await insertLifeChange(trx, referral.id, change);
    const newUrgency = raisedUrgency ? 'urgent' : referral.urgency;
    await watchUntilSeen(
      trx,
      deps.settings,
      { ...referral, urgency: newUrgency },
      { ...change, unseenBy: otherSide(side), kind: 'change' },
    );
    const dates = datesWithUrgency(deps.settings, referral, newUrgency, at);
    const update = { ...referral, ...dates, urgency: newUrgency };
    const changes = raisedUrgency ? [{ field: 'urgency', from: 'routine', to: 'urgent' }] : [];
    const actor = historyActorOf(caller);
    await changeContent(trx, deps, referral, update, {
      kind: 'things-have-changed',
      changes,
      by: side,
      actor,
      at,
    });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.change_told',
      subject: { type: 'referral', id: referral.id },
      details: { change: change.id, raised_urgency: raisedUrgency },
    });
    return { ...change, confirmedAt: null, confirmedByName: null };
  });
}

const lessUrgent: FieldError = {
  pointer: '/urgency',
  message: 'cannot become less urgent here: correct the urgency instead',
};

/**
 * Confirms that somebody of the other side has read a life change. A second confirmation changes nothing.
 * @throws Problem `not-found`, `forbidden` for the side that reported the change, `needs-person`.
 */
export async function confirmLifeChangeRead(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, changeId, ipAddress }: { referralId: string; changeId: string; ipAddress: string },
): Promise<LifeChange> {
  requireCallerIsPerson(caller);
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForSides(trx, caller, referralId, at);
    const find = async () => (await listLifeChanges(trx, referral.id)).find(({ id }) => id === changeId);
    const change = await find();
    if (!change) throw new Problem(notFound);
    if (sides.every((side) => side === change.side))
      throw new Problem(forbidden, 'Somebody of the other side confirms it.');
    const reader = { id: caller.accountId, name: caller.name };
    if (!(await confirmLifeChange(trx, { referralId: referral.id, id: change.id }, reader, at)))
      return change;
    await endWatches(trx, [change.id]);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.change_confirmed',
      subject: { type: 'referral', id: referral.id },
      details: { change: change.id },
    });
    return (await find())!;
  });
}

async function listReferralChanges(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, ipAddress }: { referralId: string; ipAddress: string },
): Promise<LifeChange[]> {
  const request = { referralId, ipAddress, action: 'referral.changes_read' } as const;
  return readAudited(deps, caller, request, async (trx, { referral }) =>
    hideWords(trx, { caller, referral }, await listLifeChanges(trx, referral.id)),
  );
}

export function presentLifeChange({
  id,
  at,
  side,
  text,
  raisedUrgency,
  confirmedAt,
  confirmedByName,
  ...author
}: LifeChange) {
  return {
    id,
    at: at.toISOString(),
    side,
    by: presentAuthor(author),
    text,
    raised_urgency: raisedUrgency,
    confirmed: confirmedAt && { at: confirmedAt.toISOString(), by: { name: confirmedByName! } },
  };
}

/** The body of the request that tells a change. */
export const newLifeChangeSchema = Type.Object(
  {
    text: longText('What has changed, for the other side to read.'),
    urgency: Type.Optional(urgencySchema),
  },
  { ...noOtherFields, title: 'NewChange' },
);

const changeExample = {
  id: '01a1fd90-7b20-7c11-8d02-3e4f5a6b7c8d',
  at: '2026-11-23T09:30:00.000Z',
  side: 'referrer',
  by: { name: 'Rashid Referrer', organisation: 'Infirmary Lane Surgery' },
  text: 'Her daughter can no longer visit her.',
  raised_urgency: true,
  confirmed: { at: '2026-11-23T11:05:00.000Z', by: { name: 'Petra Provider' } },
};

export const lifeChangeSchema = Type.Object(
  {
    id: Type.String(),
    at: moment,
    side: Type.Enum(['provider', 'referrer'], { title: 'ReferralSide', description: 'Which side told it.' }),
    by: authorSchema,
    text: Type.String(),
    raised_urgency: Type.Boolean({ description: 'The referral became urgent with it.' }),
    confirmed: orNull(
      Type.Object(
        { at: moment, by: Type.Object({ name: Type.String() }) },
        {
          title: 'WhoAndWhen',
          description: 'Who of the other side confirmed that they read it; null until then.',
        },
      ),
    ),
  },
  { title: 'ReportedChange', examples: [changeExample] },
);

const refusals = problemAnswers({
  ...badBody,
  403: `This is for one side of the referral, and not yours.${orServiceHidden}`,
  404: notYours,
  409: `The referral is not open. ${restrictedOrErased}`,
});

const path = '/api/referrals/:id/things-have-changed';
const access = withToken();
const config = { access, scope: 'referrals:write' };

export function lifeChangeRoutes(app: App, deps: ReferralDeps): void {
  tellRoute(app, deps);
  listRoute(app, deps);
  confirmRoute(app, deps);
}

function tellRoute(app: App, deps: ReferralDeps): void {
  const tell = {
    operationId: 'tellChange',
    tags,
    summary: 'Say that things have changed for the person',
    description:
      'For what the other side must know before the next step: the person is worse, has moved, is in hospital. It may make an open referral urgent, and never less urgent; then the answer, or the next step, is due within the days of an urgent one from now, and never later than before. The other side is told at once, and somebody there confirms that they read it.',
    params: idParams,
    body: {
      ...newLifeChangeSchema,
      examples: [{ text: 'Her daughter can no longer visit her.', urgency: 'urgent' }],
    },
    response: {
      201: lifeChangeSchema,
      ...refusals,
      ...problemAnswers({ 422: 'The referral cannot become less urgent.' }),
    },
  };
  app.post(path, { config, schema: tell }, async (request, reply) => {
    const newChange = {
      referralId: request.params.id,
      ...request.body,
      ipAddress: request.ip,
    } as NewLifeChange;
    const change = presentLifeChange(await tellChange(deps, requireCaller(request), newChange));
    const location = `${deps.settings.baseUrl}/api/referrals/${request.params.id}/things-have-changed`;
    return reply.code(201).header('location', location).send(change);
  });
}

function listRoute(app: App, deps: ReferralDeps): void {
  const list = {
    operationId: 'listChanges',
    tags,
    summary: 'Read what has changed for the person',
    description: 'What both sides told of changes since the referral was made, newest first.',
    params: idParams,
    querystring: Type.Object(listQuery, noOtherFields),
    response: {
      200: listOf(lifeChangeSchema),
      ...problemAnswers({
        400: 'A parameter is not known or not of the right form.',
        ...contentRefusals,
      }),
    },
  };
  app.get(path, { config: { access, scope: 'referrals:read' }, schema: list }, async (request) => {
    const target = { referralId: request.params.id, ipAddress: request.ip };
    const changes = (await listReferralChanges(deps, requireCaller(request), target)).map(presentLifeChange);
    const { limit = 50, cursor } = request.query;
    return pageOfWholeList(changes, { limit, cursor });
  });
}

function confirmRoute(app: App, deps: ReferralDeps): void {
  const confirm = {
    operationId: 'confirmChange',
    tags,
    summary: 'Confirm that you read what has changed',
    description: 'For a named person of the side that was told. The first to confirm is kept.',
    params: Type.Object({
      ...idParams.properties,
      change_id: Type.String({
        maxLength: 100,
        description: 'The id of a change that somebody told, from the list of them.',
      }),
    }),
    response: {
      200: lifeChangeSchema,
      ...refusals,
      ...problemAnswers({
        403: `Your side told it, or you are a system account.${orServiceHidden}`,
        404: `${notYours} Or there is no such change.`,
        409: restrictedOrErased,
      }),
    },
  };
  app.post(`${path}/:change_id/confirm`, { config, schema: confirm }, async (request) => {
    const { id: referralId, change_id: changeId } = request.params;
    const target = { referralId, changeId, ipAddress: request.ip };
    return presentLifeChange(await confirmLifeChangeRead(deps, requireCaller(request), target));
  });
}
