import type { Trx } from '../../platform/database/index.ts';
import { recordEvents } from '../../platform/events/index.ts';
import {
  type ChangedFile,
  listHistory,
  type Referral,
  type ReferralListener,
} from '../../referrals/index.ts';

const contentEvents = {
  correction: 'referral.corrected',
  agreement: 'referral.agreement-changed',
  'things-have-changed': 'referral.things-have-changed',
  transfer: 'referral.transferred',
  'death-reported': 'referral.death-reported',
  'death-confirmed': 'referral.death-confirmed',
  'death-undone': 'referral.death-undone',
  // It has no type of its own: clients of earlier versions know this one, and read the referral again after it.
  reopened: 'referral.corrected',
} as const;

const followUpEvents = {
  contact: 'referral.contact-logged',
  appointment: 'referral.appointment-changed',
  measures: 'referral.measured',
  'person-page': 'referral.person-page-changed',
} as const;

/**
 * Records an event for every change of a referral, in its transaction. Nobody may see what happens to a restricted referral, so its events
 * are recorded when the restriction is lifted.
 */
export const referralEventListener: ReferralListener = {
  async onStatusChange(trx, changes) {
    const [first] = changes;
    if (!first) return;
    const events = changes.map(({ referral: { id, status } }) => {
      return { type: `referral.${status}` as const, resource: referralResource(id), referralId: id };
    });
    await recordEvents(trx, events, first.at);
  },
  async onContentChange(trx, change) {
    const { id } = change.referral;
    const resource = referralResource(id);
    const type = contentEvents[change.kind];
    if (change.before.restrictedAt === null)
      await recordEvents(trx, [{ type, resource, referralId: id }], change.at);
  },
  async onRecordChange(trx, change) {
    const { id } = change.referral;
    const resource = referralResource(id);
    const type = `referral.${change.kind}` as const;
    const earlierTypes = change.kind === 'unrestricted' ? await listWithheldTypes(trx, change.referral) : [];
    const events = [type, ...earlierTypes].map((each) => ({ type: each, resource, referralId: id }));
    await recordEvents(trx, events, change.at);
  },
  async onMessage(trx, message) {
    const { messageId: id, at } = message;
    const { id: referralId } = message.referral;
    const path = `/api/referrals/${referralId}/messages/${id}`;
    const resource = { type: 'message', id, path };
    await recordEvents(trx, [{ type: 'message.created', resource, referralId }], at);
  },
  async onFollowUp(trx, followUp) {
    const { id } = followUp.referral;
    const resource = referralResource(id);
    const type = followUpEvents[followUp.kind];
    await recordEvents(trx, [{ type, resource, referralId: id }], followUp.at);
  },
  async onFile(trx, file) {
    await recordEvents(trx, [fileEvent('attachment.created', file)], file.at);
  },
  async onFileRemoved(trx, file) {
    await recordEvents(trx, [fileEvent('attachment.removed', file)], file.at);
  },
};

/** The types of events that were not recorded while a referral was restricted, oldest first. Only a death can change such a referral. */
async function listWithheldTypes(trx: Trx, { id, restrictedAt }: Pick<Referral, 'id' | 'restrictedAt'>) {
  if (restrictedAt === null) return [];
  const history = await listHistory(trx, id);
  return history.flatMap(({ at, details }) => {
    const kind = details?.kind;
    const isOfDeath = kind === 'death-reported' || kind === 'death-confirmed' || kind === 'death-undone';
    return at >= restrictedAt && isOfDeath ? [contentEvents[kind]] : [];
  });
}

function fileEvent(
  type: 'attachment.created' | 'attachment.removed',
  { referral: { id: referralId }, attachmentId: id }: ChangedFile,
) {
  const path = `/api/referrals/${referralId}/attachments/${id}`;
  return { type, resource: { type: 'attachment', id, path }, referralId };
}

function referralResource(id: string) {
  return { type: 'referral', id, path: `/api/referrals/${id}` };
}
