import { isProblem, receiver } from '@onward/client';

// What becomes of the referrals. The webhook stores each event and answers at once; the work is done from what is stored, so that
// neither a restart nor a fault on the way loses anything.

const retryEveryMs = 30_000;
const ended = new Set(['completed', 'rejected', 'failed', 'cancelled', 'entered-in-error']);

/**
 * @param {object} deps
 * @param {import('@onward/client').Onward} deps.onward
 * @param {import('./store.js').Store} deps.store
 * @param {string} deps.webhookUrl
 * @param {(message: string, error?: unknown) => void} deps.log
 */
export function keepUpToDate({ onward, store, webhookUrl, log }) {
  /** @type {Promise<void> | undefined} */
  let working;
  const timer = setInterval(() => void work(), retryEveryMs);

  /** Works on the stored events, one after the other. One that fails stays, and is tried again. */
  function work() {
    working ??= workOnAll().finally(() => {
      working = undefined;
    });
    return working;
  }

  async function workOnAll() {
    for (const event of store.waitingEvents()) {
      try {
        if (event.resource.type === 'referral') await readAgain(event.resource.id);
        store.markDone(event);
      } catch (error) {
        log(`Event ${event.id} is tried again later.`, error);
      }
    }
  }

  /**
   * An event says only that something happened. The referral itself says how it stands now.
   * @param {string} id
   */
  async function readAgain(id) {
    const known = store.referral(id);
    if (!known) return;
    try {
      const referral = await onward.referrals.get(id);
      store.saveReferral({
        ...known,
        status: referral.status,
        updatedAt: referral.updated_at,
        reason: referral.status_reason?.text ?? undefined,
      });
    } catch (error) {
      // Somebody had the record erased: what the app has of it goes, too.
      if (!isProblem(error, 'referral-erased')) throw error;
      store.saveReferral({ ...known, person: 'Erased', status: 'erased', reason: undefined });
    }
  }

  return {
    /** Adds the webhook, the first time, and reads again what may have changed while the app was away. */
    async start() {
      if (!store.webhook()) {
        const { body } = await onward.call('addWebhook', { body: { url: webhookUrl, event_types: ['*'] } });
        store.saveWebhook({ id: body.id, secret: body.secret });
      }
      await work();
      for (const { id, status } of store.referrals()) if (!ended.has(status)) await readAgain(id);
    },

    /**
     * For a referral that was just made: an event may have come before it was kept here, and was not for it then.
     * @param {string} id
     */
    begin: (id) =>
      readAgain(id).catch((error) => log(`Referral ${id} is read again at the next event.`, error)),

    stop: () => clearInterval(timer),

    /**
     * The webhook: 204 when the event is stored, 400 for a wrong signature, and 500 when this app fails, so that the site sends the
     * event again.
     * @param {Request} request
     */
    async told(request) {
      const secret = store.webhook()?.secret;
      if (!secret) return new Response(null, { status: 500 });
      const answer = await receiver({
        secrets: secret,
        store: (event) => store.addEvent(event),
        onError: (error) => log('A call to the webhook was not stored.', error),
      })(request);
      void work();
      return answer;
    },
  };
}

/** @typedef {ReturnType<typeof keepUpToDate>} Following */
