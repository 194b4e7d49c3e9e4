import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import {
  type App,
  listOf,
  listQuery,
  noOtherFields,
  type PagedList,
  type PagedListQuery,
  pageOfRows,
  problemAnswers,
  readIdCursor,
  withToken,
} from '../../platform/http/index.ts';
import { newId, requireById } from '../../platform/ids/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { type AuthorisedReferral, lockForSides, readAudited } from '../model/access/access.ts';
import { hideWords, type MaybeHidden } from '../model/access/hide-words.ts';
import { writingSide } from '../model/access/sides.ts';
import { authorOf, presentAuthor } from '../model/actors/authors.ts';
import { markNewsRead } from '../model/attention/readings-store.ts';
import { noteSeen, watchUntilSeen } from '../model/attention/watches.ts';
import { endWatchesOfFilesShown, endWatchesOfNews } from '../model/attention/watches-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { nextDateAfter } from '../model/due/next-date.ts';
import {
  type KeyedAnswer,
  keepAnswer,
  keyedForm,
  keyedRequest,
  replayOrRefuse,
} from '../model/idempotency/idempotency.ts';
import { isShownToSomebody, markReplayed } from '../model/presentation/http.ts';
import { wrongState } from '../model/problems.ts';
import type { Referral } from '../model/referral.ts';
import { setNextDate, setUpdated } from '../model/referrals-store.ts';
import { messageExample } from '../model/schemas/examples.ts';
import { longText } from '../model/schemas/new-referral.ts';
import { authorSchema, moment } from '../model/schemas/referral.ts';
import {
  badBody,
  contentRefusals,
  idempotencyHeaders,
  idParams,
  keyReusedText,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  shownToHeaders,
  tags,
} from '../model/schemas/route-parts.ts';
import { otherSide } from '../model/status/state-machine.ts';
import { findMessage, insertMessage, listMessages, type Message } from './messages-store.ts';
import { updateQuestions } from './questions-store.ts';

/**
 * Writes to the other side of a referral.
 * @throws Problem `not-found`, `forbidden` for somebody on neither side, `wrong-state` if there is no other side,
 * `still-in-progress`, `idempotency-key-reused`.
 */
export async function sendMessage(
  deps: ReferralDeps,
  caller: Caller,
  newMessage: {
    referralId: string;
    text: string;
    ipAddress: string;
    idempotencyKey?: string | undefined;
    /** What the form of a page had when it was shown. */
    formToken?: string | undefined;
  },
): Promise<KeyedAnswer<PresentedMessage>> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForSides(trx, caller, newMessage.referralId, at);
    const content = { referral: referral.id, text: newMessage.text };
    const request =
      keyedRequest(deps, caller.accountId, newMessage.idempotencyKey, content) ??
      keyedForm(deps, caller.accountId, newMessage.formToken, content);
    const earlier = await replayOrRefuse<PresentedMessage>(trx, deps, request);
    if (earlier) return { answer: earlier, isReplayed: true };
    if (referral.requested_at === null || referral.status === 'entered-in-error')
      throw new Problem(wrongState, `It is ${referral.status}, so there is nobody to write to.`);
    // Somebody on both sides writes as the referrer, as their page says: “Write to the service”.
    const message = {
      id: newId(at.getTime()),
      at,
      side: writingSide(sides)!,
      ...authorOf(caller),
      text: newMessage.text,
    };
    const isNewsOfPerson = sides.includes('provider');
    await storeMessage(trx, deps, {
      referral,
      message,
      isNewsOfPerson,
      actor: actorOf(caller, newMessage.ipAddress),
    });
    await noteSeen(trx, caller, { referral, sides }, at);
    const answer = presentMessage(message);
    await keepAnswer(trx, request, { referralId: referral.id, answer, at });
    return { answer, isReplayed: false };
  });
}

/** Stores a message with what follows from it: the other side is told, and one from the service moves the next date. */
export async function storeMessage(
  trx: Trx,
  deps: ReferralDeps,
  {
    referral,
    message,
    isNewsOfPerson,
    actor,
  }: {
    referral: Referral;
    message: Message & { asksToRing?: boolean };
    /** The service says how the person is. That moves the next date, if it is a date for news of the person. */
    isNewsOfPerson: boolean;
    actor: Actor;
  },
): Promise<void> {
  const { id: messageId, at } = message;
  await insertMessage(trx, referral.id, message);
  await updateQuestions(trx, referral.id, message);
  const watched = { ...message, unseenBy: otherSide(message.side), kind: 'message' } as const;
  await watchUntilSeen(trx, deps.settings, referral, watched);
  await setUpdated(trx, referral.id, at);
  // A message moves neither the date of the first contact, nor that of the check whether it is still safe to wait.
  const isNewsNext =
    referral.status === 'in-progress' ||
    (referral.status === 'accepted' && referral.first_contact_at !== null);
  if (isNewsOfPerson && isNewsNext)
    await setNextDate(trx, referral.id, nextDateAfter(deps.settings, referral, at));
  const { side, authorId: actorId, text } = message;
  await deps.roomsAbove.onMessage(trx, { referral, messageId, text, side, actorId, at });
  await recordAudit(trx, {
    at,
    actor,
    action: 'referral.message_sent',
    subject: { type: 'referral', id: referral.id },
    details: { message: messageId },
  });
}

/**
 * A page of the messages about a referral, newest first.
 * @throws Problem `not-found`, `forbidden` for an operator who has not opened the referral, `referral-restricted`,
 * `referral-erased`.
 */
async function listReferralMessages(
  deps: ReferralDeps,
  caller: Caller,
  {
    referralId,
    ipAddress,
    cursor,
    limit,
    shownToSomebody,
  }: PagedListQuery & { referralId: string; ipAddress: string; shownToSomebody: boolean },
): Promise<PagedList<Message>> {
  const beforeId = readIdCursor(cursor);
  const request = { referralId, ipAddress, action: 'referral.messages_read' } as const;
  return readAudited(deps, caller, request, async (trx, { referral, sides }) => {
    const page = pageOfRows(await listMessages(trx, referral.id, { beforeId, limit: limit + 1 }), limit);
    const items = await hideWords(trx, { caller, referral }, page.items);
    if (shownToSomebody) await noteSeenAndRead(trx, caller, { referral, sides }, items);
    return { ...page, items };
  });
}

/** The caller has seen these messages, so their watches end. One whose text is hidden from them does not count. */
export async function noteMessagesSeen(
  trx: Trx,
  caller: Caller,
  { referral, sides }: Pick<AuthorisedReferral, 'referral' | 'sides'>,
  messages: readonly MaybeHidden<Message>[],
): Promise<void> {
  if (caller.isSystem) return;
  const shown = messages.filter(({ isHidden }) => !isHidden);
  await endWatchesOfNews(
    trx,
    referral.id,
    { sides, accountId: caller.accountId },
    shown.map(({ id }) => id),
  );
}

/** A client showed these messages to somebody: they are seen, and for this person they are read, so no page calls them new. */
async function noteSeenAndRead(
  trx: Trx,
  caller: Caller,
  { referral, sides }: Pick<AuthorisedReferral, 'referral' | 'sides'>,
  messages: readonly MaybeHidden<Message>[],
): Promise<void> {
  await noteMessagesSeen(trx, caller, { referral, sides }, messages);
  if (caller.isSystem || sides.length === 0 || messages.some(({ isHidden }) => isHidden)) return;
  await markNewsRead(trx, referral.id, caller.accountId, { messageIds: messages.map(({ id }) => id) });
}

/** The caller has seen that these files are there. One whose name is hidden from the caller does not count. */
export async function noteFilesSeen(
  trx: Trx,
  caller: Caller,
  { referral, sides }: Pick<AuthorisedReferral, 'referral' | 'sides'>,
  files: readonly MaybeHidden<{ id: string }>[],
): Promise<void> {
  if (caller.isSystem) return;
  const shown = files.filter(({ isHidden }) => !isHidden).map(({ id }) => id);
  await endWatchesOfFilesShown(trx, referral.id, { sides, accountId: caller.accountId }, shown);
}

/** One message. @throws Problem as `listReferralMessages`. */
async function readMessage(
  deps: ReferralDeps,
  caller: Caller,
  {
    referralId,
    id,
    ipAddress,
    shownToSomebody,
  }: { referralId: string; id: string; ipAddress: string; shownToSomebody: boolean },
): Promise<Message> {
  const request = {
    referralId,
    ipAddress,
    action: 'referral.message_read',
    details: (message: Message) => ({ message: message.id }),
  } as const;
  return readAudited(deps, caller, request, async (trx, { referral, sides }) => {
    const message = await requireById(id, (id) => findMessage(trx, referral.id, id));
    const items = await hideWords(trx, { caller, referral }, [message]);
    if (shownToSomebody) await noteSeenAndRead(trx, caller, { referral, sides }, items);
    return items[0]!;
  });
}

export function presentMessage({ id, at, side, text, ...author }: Message) {
  return { id, at: at.toISOString(), side, by: presentAuthor(author), text };
}

type PresentedMessage = ReturnType<typeof presentMessage>;

export const messageSchema = Type.Object(
  {
    id: Type.String(),
    at: moment,
    side: Type.Enum(['provider', 'referrer'], { title: 'ReferralSide', description: 'Which side wrote it.' }),
    by: authorSchema,
    text: Type.String(),
  },
  { title: 'Message' },
);

/** The body of a message, also used for the page’s form. */
export const newMessageSchema = Type.Object(
  { text: longText('For the other side to read.') },
  { title: 'NewMessage', ...noOtherFields, examples: [messageExample] },
);

export function messageRoutes(app: App, deps: ReferralDeps): void {
  messageReadRoutes(app, deps);
  sendRoute(app, deps);
}

function messageReadRoutes(app: App, deps: ReferralDeps): void {
  app.get(
    '/api/referrals/:id/messages',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'listMessages',
        tags,
        summary: 'Read the messages about a referral',
        description:
          'What the referrer’s organisation and the service wrote to each other, newest first. An operator has to open the referral first.',
        params: idParams,
        headers: shownToHeaders,
        querystring: Type.Object(listQuery, noOtherFields),
        response: {
          200: listOf(messageSchema),
          ...problemAnswers({
            400: 'A parameter is not known or not of the right form.',
            ...contentRefusals,
          }),
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const shownToSomebody = isShownToSomebody(request);
      const page = { referralId: request.params.id, ipAddress: request.ip, limit, cursor, shownToSomebody };
      const { items, next_cursor } = await listReferralMessages(deps, requireCaller(request), page);
      return { items: items.map(presentMessage), next_cursor };
    },
  );

  app.get(
    '/api/referrals/:id/messages/:message_id',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'getMessage',
        tags,
        summary: 'Read a message about a referral',
        description: 'One message, as an event about it names it.',
        params: Type.Object({
          ...idParams.properties,
          message_id: Type.String({ maxLength: 100, description: 'The id of a message.' }),
        }),
        headers: shownToHeaders,
        response: { 200: messageSchema, ...problemAnswers(contentRefusals) },
      },
    },
    async (request) => {
      const { id: referralId, message_id: id } = request.params;
      const which = { referralId, id, ipAddress: request.ip, shownToSomebody: isShownToSomebody(request) };
      return presentMessage(await readMessage(deps, requireCaller(request), which));
    },
  );
}

function sendRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/messages',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'sendMessage',
        tags,
        summary: 'Write a message about a referral',
        description:
          'Both sides can ask and answer, at any status but draft and entered-in-error. What is written is never changed. It changes neither the status nor the version; `updated_at` moves.',
        params: idParams,
        headers: idempotencyHeaders,
        body: newMessageSchema,
        response: {
          201: messageSchema,
          ...problemAnswers({
            ...badBody,
            403: `You are on neither side of the referral.${orServiceHidden}`,
            404: notYours,
            409: `It is a draft, or was sent by mistake: there is nobody to write to. ${restrictedOrErased}`,
            422: keyReusedText,
          }),
        },
      },
    },
    async (request, reply) => {
      const { id: referralId } = request.params;
      const idempotencyKey = request.headers['idempotency-key'];
      const message = { referralId, text: request.body.text, ipAddress: request.ip, idempotencyKey };
      const { answer, isReplayed } = await sendMessage(deps, requireCaller(request), message);
      const location = `${deps.settings.baseUrl}/api/referrals/${referralId}/messages/${answer.id}`;
      return markReplayed(reply.code(201).header('location', location), isReplayed).send(answer);
    },
  );
}
