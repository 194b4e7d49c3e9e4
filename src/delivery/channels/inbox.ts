import { listOrganizationsWithProviders } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { CannotDeliver, type Channel, type RenderedMessage, type SendResult } from './channel.ts';

/**
 * The receiver's list of referrals on this site. The referral is in it as soon as it is stored, so nothing is sent. But the
 * delivery fails if nobody can open that list, because the referral would wait there unseen.
 */
export function createInbox({ db }: { db: Db }): Channel {
  return {
    name: 'inbox',
    idempotent: true,
    receiverCanConfirm: false,
    // Without a letter: drawing it takes longest, and the list draws it when somebody opens it.
    async render(_db, { leg, text }) {
      if (leg !== 'service') throw new CannotDeliver('GP practices have no list of referrals on this site.');
      return {
        address: 'The list of referrals on this site',
        headers: {},
        body: text({ hasLetter: false }),
        files: [],
      };
    },
    async send({ receiver: { name, code } }) {
      if (!(await canBeOpened(db, code)))
        throw new CannotDeliver(`Nobody at ${name} has an account on this site that can open it.`);
      return listedFor(name);
    },
    async sendTogether(trx, messages) {
      const openable = new Map<string | null, boolean>();
      const sent = new Map<RenderedMessage, SendResult>();
      for (const each of messages) {
        const { name, code } = each.message.receiver;
        if (!openable.has(code)) openable.set(code, await canBeOpened(trx, code));
        if (openable.get(code)) sent.set(each, listedFor(name));
      }
      return sent;
    },
    classify: () => undefined,
  };
}

async function canBeOpened(db: Db, code: string | null): Promise<boolean> {
  return (await listOrganizationsWithProviders(db, code === null ? [] : [code])).size > 0;
}

function listedFor(name: string): SendResult {
  return { status: 'received', detail: `It is in the list of referrals of ${name} on this site.` };
}
