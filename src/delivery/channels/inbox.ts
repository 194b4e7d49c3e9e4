import { listOrganizationsWithProviders } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { CannotDeliver, type Channel, type RenderedMessage, type Sent } from './channel.ts';

/**
 * The receiver's list of referrals on this site. The referral is in it as soon as it is stored, so nothing is sent. But the
 * delivery fails if nobody can open that list, because the referral would wait there unseen.
 */
export function createInbox({ db }: { db: Db }): Channel {
  return {
    name: 'inbox',
    repeatable: true,
    confirms: false,
    // Without a letter: drawing it takes longest, and the list draws it when somebody opens it.
    async render({ receiverKind, text }) {
      if (receiverKind !== 'service')
        throw new CannotDeliver('GP practices have no list of referrals on this site.');
      return { address: 'The list of referrals on this site', headers: {}, body: text, files: [] };
    },
    async send({ recipient: { name, code } }) {
      if (!(await isOpened(db, code)))
        throw new CannotDeliver(`Nobody at ${name} has an account on this site that can open it.`);
      return inTheListOf(name);
    },
    async sendTogether(trx, messages) {
      const opened = new Map<string | null, boolean>();
      const sent = new Map<RenderedMessage, Sent>();
      for (const each of messages) {
        const { name, code } = each.message.recipient;
        if (!opened.has(code)) opened.set(code, await isOpened(trx, code));
        if (opened.get(code)) sent.set(each, inTheListOf(name));
      }
      return sent;
    },
    classify: () => undefined,
  };
}

async function isOpened(db: Db, code: string | null): Promise<boolean> {
  return (await listOrganizationsWithProviders(db, code === null ? [] : [code])).size > 0;
}

function inTheListOf(name: string): Sent {
  return { status: 'received', detail: `It is in the list of referrals of ${name} on this site.` };
}
