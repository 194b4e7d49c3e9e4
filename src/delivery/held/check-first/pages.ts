import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { channelInWords } from '../../../library/index.ts';
import { findCheckFirst } from '../../../platform/check-first/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { successBanner } from '../../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { findWithHiddenService, restrictedServiceName } from '../../../referrals/index.ts';
import type { DeliveryDeps } from '../../channels/deps.ts';
import { checkFirstHolder } from '../../model/holders.ts';
import { askCarriers } from './ask-carriers.ts';
import { confirmSent } from './confirm-sent.ts';
import { type HeldForCheck, listHeldForCheck } from './store.ts';

const path = '/operator/check-first';
/** Far more than wait at once. The page says if there are more. */
const maxShown = 2000;
const done = successBanner({ confirmed: 'Messages are sent again.' });
const form = Type.Object({
  keep: Type.Optional(
    Type.Union([
      Type.String({ format: 'uuid' }),
      Type.Array(Type.String({ format: 'uuid' }), { maxItems: maxShown }),
    ]),
  ),
});

/** Where an operator confirms, after a restore, what was sent between the backup and the loss. */
export function checkFirstPages(app: App, deps: DeliveryDeps & WebPlatform): void {
  const config = page(signedIn('operator'));
  const querystring = Type.Object({ done: done.query });
  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    send(deps, request, reply, { done: done.words(request.query.done) }),
  );
  app.post(`${path}/ask`, { config }, async (request, reply) => {
    const held = await listHeldForCheck(deps.db, checkFirstHolder, maxShown);
    return send(deps, request, reply, { answers: await askCarriers(deps, held), asked: true });
  });
  const confirming = page(signedIn('operator'), { freshSignIn: true, returnTo: path });
  app.post(`${path}/confirm`, { config: confirming, schema: { body: form } }, async (request, reply) => {
    const keepIds = [request.body.keep ?? []].flat();
    await confirmSent(deps, { caller: requireCaller(request), ipAddress: request.ip, keepIds });
    return reply.redirect(done.path(path, 'confirmed'), 303);
  });
}

type PageState = { done?: string | undefined; answers?: ReadonlyMap<string, string>; asked?: boolean };

async function send(
  deps: DeliveryDeps & WebPlatform,
  request: Request,
  reply: Reply,
  { done: doneWords, answers = new Map(), asked = false }: PageState,
) {
  const state = await findCheckFirst(deps.db);
  const held = state ? await listHeldForCheck(deps.db, checkFirstHolder, maxShown) : [];
  const restricted = await inTransaction(deps.db, (trx) =>
    findWithHiddenService(trx, requireCaller(request), [
      ...new Set(held.map(({ referralId }) => referralId)),
    ]),
  );
  return deps.pages.send(request, reply, 'delivery/templates/check-first.njk', {
    done: doneWords,
    state,
    asked,
    canAsk: deps.settings.mode === 'live' && deps.channels.outgoing.some(({ track }) => track),
    isCut: held.length === maxShown,
    messages: held.map(({ channel, leg, ...each }) => ({
      ...each,
      receiver: receiverOf({ ...each, leg }, restricted.has(each.referralId)),
      way: channel ? channelInWords(channel) : 'Not tried yet',
      wasThere: state !== undefined && each.createdAt <= state.backupMadeAt,
      answer: answers.get(each.id),
    })),
  });
}

function receiverOf(
  { leg, recipientName }: Pick<HeldForCheck, 'leg' | 'recipientName'>,
  isRestricted: boolean,
): string {
  if (leg === 'service' && isRestricted) return restrictedServiceName;
  return recipientName ?? (leg === 'service' ? 'The service' : 'The GP practice');
}
