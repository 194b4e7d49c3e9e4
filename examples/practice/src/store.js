import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

// What the app keeps. A real one has a database, with a unique key on the event's id.

/**
 * @typedef {import('@onward/client').Event} Event
 * @typedef {object} KeptReferral
 * @property {string} id
 * @property {string} reference
 * @property {string} person The name that users see in their list.
 * @property {string} service
 * @property {string} status
 * @property {string} updatedAt
 * @property {string | undefined} [reason] Why it was declined or ended.
 */

/**
 * @typedef {object} Kept
 * @property {{ id: string, secret: string }} [webhook]
 * @property {Record<string, KeptReferral>} referrals
 * @property {Record<string, { event: Event, done: boolean }>} events
 */

/** @param {string} path */
export function openStore(path) {
  /** @type {Kept} */
  let kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { referrals: {}, events: {} };

  /**
   * Changes memory only after the file is written: the site must not hear that an event was stored when it was not. A
   * power cut in the middle leaves the earlier file.
   * @param {Partial<Kept>} changed
   */
  function change(changed) {
    const next = { ...kept, ...changed };
    writeFileSync(`${path}.new`, JSON.stringify(next), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    kept = next;
  }

  return {
    webhook: () => kept.webhook,
    /** @param {{ id: string, secret: string }} webhook */
    saveWebhook: (webhook) => change({ webhook }),

    /** @param {Event} event It may come more than once. */
    addEvent(event) {
      if (!kept.events[event.id]) change({ events: { ...kept.events, [event.id]: { event, done: false } } });
    },
    /** @returns {Event[]} those that are still to be worked on, in the order in which they happened. */
    waitingEvents: () =>
      Object.values(kept.events)
        .filter(({ done }) => !done)
        .map(({ event }) => event)
        .sort((one, other) => (one.id < other.id ? -1 : 1)),
    /** @param {Event} event */
    markDone: (event) => change({ events: { ...kept.events, [event.id]: { event, done: true } } }),
    /** @param {string} referralId */
    eventsOf: (referralId) =>
      Object.values(kept.events)
        .map(({ event }) => event)
        .filter(({ resource }) => resource.id === referralId),

    /** @param {string} id */
    referral: (id) => kept.referrals[id],
    /** The newest first. */
    referrals: () => Object.values(kept.referrals).sort((one, other) => (one.id < other.id ? 1 : -1)),
    /** @param {KeptReferral} referral */
    saveReferral: (referral) => change({ referrals: { ...kept.referrals, [referral.id]: referral } }),
  };
}

/** @typedef {ReturnType<typeof openStore>} Store */
