import { CallError, EventsGone, isProblem, ProblemError } from './errors.ts';
import { everyItem } from './every-item.ts';
import type { AnswerBody, Call, Checked, Query, Schemas, Settings } from './operations.ts';
import { type Referral, type Versioned, versioned } from './referrals.ts';
import { wait } from './wait.ts';

export type Event = Schemas['Event'];

/** What an event is about. `type` says which of them it is. */
export type EventResource =
  | { type: 'referral'; referral: Versioned<Referral> }
  | { type: 'message'; message: AnswerBody<'getMessage'> }
  /** `file` is undefined once it was removed. */
  | { type: 'attachment'; file: AnswerBody<'getAttachment'> | undefined }
  | { type: 'delivery'; delivery: AnswerBody<'listDeliveries'>['items'][number] | undefined }
  | { type: 'service'; service: AnswerBody<'getService'> }
  | { type: 'webhook'; webhook: AnswerBody<'getWebhook'> };

export type FollowOptions = {
  /** The id of the last event that you have handled. Without it you get the oldest that is kept, of 30 days ago. */
  after?: string | null | undefined;
  /** All types, if you name none. */
  types?: readonly Schemas['EventType'][] | undefined;
  /** Ends the loop. */
  signal?: AbortSignal | undefined;
  /** How often the site is asked when nothing happens. */
  everySeconds?: number | undefined;
  /**
   * Saves your position, which you pass as `after` at the next start. It is called when the body of your loop is done
   * with an event, and from time to time when nothing happened, so that your place does not become older than the
   * events that are kept.
   */
  savePosition?: ((id: string) => unknown) | undefined;
};

/** A mistyped type does not compile, since no event would ever come. One that is newer than this client is any `string`. */
type CheckedTypes<Type extends string> = {
  types?: readonly Checked<Type, Schemas['EventType']>[] | undefined;
};

export type Events = ReturnType<typeof createEvents>;

/** `renewsTokens`: a token that was refused twice in a row is no reason to stop, since the next call gets another. */
export function createEvents(call: Call, { renewsTokens }: { renewsTokens: boolean }) {
  /** @throws EventsGone */
  async function list(
    query: Query<'listEvents'> = {},
    settings?: Settings,
  ): Promise<AnswerBody<'listEvents'>> {
    try {
      return (await call('listEvents', { query, ...settings })).body;
    } catch (error) {
      // The site was restored to an earlier moment.
      if (isProblem(error, 'unknown-event')) throw new EventsGone(null);
      if (!isProblem(error, 'events-gone')) throw error;
      throw new EventsGone((error.problem.oldest_id as string | null | undefined) ?? null);
    }
  }

  /** Asks until there is an answer. @throws what another attempt cannot mend, and the signal's reason */
  async function listPatiently(query: Query<'listEvents'>, pauseMs: number, signal: AbortSignal | undefined) {
    for (;;) {
      try {
        return await list(query, { signal });
      } catch (error) {
        if (!mayPass(error) && !(renewsTokens && isProblem(error, 'invalid-token'))) throw error;
        const seconds = (error instanceof ProblemError && error.retryAfterSeconds) || 0;
        await wait(Math.max(seconds * 1000, pauseMs), signal);
      }
    }
  }

  /** Reads by ids, never at `href`: so no token goes to an address that somebody put into an event. */
  async function readResource(event: Event, settings?: Settings): Promise<EventResource | undefined> {
    const { type, id, referral_id } = event.resource;
    const referralId = referral_id ?? '';
    const own = { path: { id }, ...settings };
    switch (type) {
      case 'referral':
        return { type: 'referral', referral: versioned(await call('getReferral', own)) };
      case 'message': {
        const path = { id: referralId, message_id: id };
        return { type: 'message', message: (await call('getMessage', { path, ...settings })).body };
      }
      case 'attachment': {
        const path = { id: referralId, attachment_id: id };
        try {
          return { type: 'attachment', file: (await call('getAttachment', { path, ...settings })).body };
        } catch (error) {
          if (isProblem(error, 'not-found')) return { type: 'attachment', file: undefined };
          throw error;
        }
      }
      case 'delivery': {
        const options = { path: { id: referralId }, ...settings };
        const readPage = async (cursor: string | undefined) =>
          (await call('listDeliveries', { query: { cursor }, ...options })).body;
        for await (const delivery of everyItem(readPage))
          if (delivery.id === id) return { type: 'delivery', delivery };
        return { type: 'delivery', delivery: undefined };
      }
      case 'service':
        return { type: 'service', service: (await call('getService', own)).body };
      case 'webhook':
        return { type: 'webhook', webhook: (await call('getWebhook', own)).body };
      default:
        return undefined;
    }
  }

  async function* followAll(options: FollowOptions): AsyncGenerator<Event, void, undefined> {
    const { types, signal, everySeconds = 5, savePosition } = options;
    let { after } = options;
    let latestBefore: string | null = null;
    for (;;) {
      const query = { limit: 100, ...(after && { after }), ...(types && { type: [...types] }) };
      const { items, next_cursor, latest_id } = await listPatiently(query, everySeconds * 1000, signal);
      for (const event of items) {
        yield event;
        after = event.id;
        await savePosition?.(after);
      }
      // No event of these types came after `after`. So we can move on to the event that was the newest of all types
      // before we asked.
      if (items.length === 0 && latestBefore !== null && latestBefore !== after) {
        after = latestBefore;
        await savePosition?.(after);
      }
      latestBefore = latest_id;
      if (next_cursor === null) await wait(everySeconds * 1000, signal);
    }
  }

  return {
    list,

    /**
     * What an event is about, as it is now: the referral with its `etag`, the message, the file, the delivery, the service. Undefined for a
     * type of resource that is newer than this client. For the referral that any event belongs to, read `event.resource.referral_id`.
     */
    resource: readResource,

    /** To follow what happens from now on, keep this and give it as `after`. Undefined when nothing has happened yet. */
    latestId: async (settings?: Settings) => (await list({ limit: 1 }, settings)).latest_id ?? undefined,

    /**
     * What happens, in its order, until the signal ends it. An event comes again if the body of your loop failed on it. While the
     * site cannot be reached, it goes on asking.
     * @throws EventsGone when you were away for more than 30 days, or the site was restored and does not know `after`
     */
    async *follow<Type extends string>(
      options: Omit<FollowOptions, 'types'> & CheckedTypes<Type> = {},
    ): AsyncGenerator<Event, void, undefined> {
      try {
        yield* followAll(options);
      } catch (error) {
        if (!options.signal?.aborted) throw error;
      }
    },
  };
}

/** The site cannot be reached, or something in between answers in its place. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return error instanceof CallError;
  return error.status === 429 || error.status >= 500 || error.code === 'unexpected-answer';
}
