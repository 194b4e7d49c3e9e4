import type { NotificationKind } from '../../accounts/index.ts';
import { mentionsCrisis } from '../../library/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { listLifeChanges } from '../corrections/life-changes-store.ts';
import { addNotifications, forBothSides, type NewNotification } from '../model/attention/notifications.ts';
import type { ContentChange, ReferralListener, StatusChange } from '../model/deps.ts';
import { isRiskToRead } from '../model/person/danger/risk.ts';
import type { Referral, ReferralStatus } from '../model/referral.ts';
import { isReopening, otherSide } from '../model/status/state-machine.ts';

/**
 * Stores who is to be emailed about each change, in its transaction. The job `tell-news` writes the emails, so that ten changes in a moment
 * make one email, and a change waits for none.
 */
export function notificationListener({ settings: { crisisPhrases } }: Pick<Platform, 'settings'>) {
  const isCrisis = (text: string | undefined) => text !== undefined && mentionsCrisis(text, crisisPhrases);
  return {
    async onStatusChange(trx, changes) {
      const news = changes.flatMap((change) => {
        const { outcome, status_reason: reason } = change.referral;
        const isUrgent = endsOrDeclines(change) && (isCrisis(outcome?.text) || isCrisis(reason?.text));
        return newsOfChange(change).map((each) => (isUrgent ? asUrgent(each) : each));
      });
      await addNotifications(trx, news);
    },
    async onContentChange(trx, change) {
      const { referral, before, kind } = change;
      const isRisk = ({ content }: Referral) => isRiskToRead(content, crisisPhrases);
      const [lifeChange] = kind === 'things-have-changed' ? await listLifeChanges(trx, referral.id) : [];
      const isUrgent =
        isCrisis(lifeChange?.text) || isCrisis(change.reason) || (isRisk(referral) && !isRisk(before));
      await addNotifications(
        trx,
        newsOfContent(change).map((each) => (isUrgent ? asUrgent(each) : each)),
      );
    },
    async onMessage(trx, { referral, text, side, actorId, at }) {
      const kind = isCrisis(text) ? 'urgent-message' : 'message';
      await addNotifications(trx, [{ referralId: referral.id, kind, side: otherSide(side), actorId, at }]);
    },
    // No letter tells of a file, so it counts as a message: a service without an account is asked to ring.
    async onFile(trx, file) {
      const { referral, name, side, actorId, at } = file;
      const kind = isCrisis(name) ? 'urgent-message' : 'file';
      await addNotifications(trx, [{ referralId: referral.id, kind, side: otherSide(side), actorId, at }]);
    },
    async onFollowUp(trx, followUp) {
      const { referral, kind, at } = followUp;
      if ((kind === 'contact' || kind === 'appointment') && isCrisis(followUp.text))
        await addNotifications(trx, [
          { referralId: referral.id, kind: 'urgent-news', side: 'referrer', actorId: null, at },
        ]);
    },
  } satisfies ReferralListener;
}

/** Words of a crisis count more than what happened beside them. Of a death nobody is told in other words than its own. */
function asUrgent(news: NewNotification): NewNotification {
  const keepsKind = news.kind === 'death' || news.kind === 'death-undone' || news.kind === 'new-referral';
  return keepsKind ? news : { ...news, kind: 'urgent-news' };
}

/** Whether the outcome or the reason of the referral was written with this change. How somebody died is no danger that is still there. */
function endsOrDeclines({ referral: { status, status_reason: reason }, from }: StatusChange): boolean {
  const isWritten = status !== from || status === 'on-hold';
  return isWritten && status !== 'requested' && reason?.code !== 'died';
}

/** What the referrer is told of, by the status that the service or the site itself set. */
const newsForReferrer: Readonly<Partial<Record<ReferralStatus, NotificationKind>>> = {
  accepted: 'accepted',
  'on-hold': 'waiting-list',
  rejected: 'declined',
  completed: 'ended',
  failed: 'ended',
  cancelled: 'ended',
};

function newsOfChange({ referral, from, by, actorId, at }: StatusChange): NewNotification[] {
  const news = { referralId: referral.id, actorId, at };
  if (by === 'referrer') {
    const kindIfNew = referral.status === 'requested' ? 'new-referral' : 'withdrawn';
    // `reopened`: the referrer says that the service ended it by mistake.
    const kind = isReopening(from, referral.status) ? 'reopened' : kindIfNew;
    const forService = { ...news, kind, side: 'provider' } as const;
    // A colleague of those who look after the person may have ended it.
    return kind === 'withdrawn' ? [forService, { ...news, kind: 'ended', side: 'referrer' }] : [forService];
  }
  // The service has taken back its decline.
  if (isReopening(from, referral.status)) return [{ ...news, kind: 'reopened', side: 'referrer' }];
  // A decline because of a death is told as `ended`, so that nobody is asked to find another service.
  const hasDied = referral.status_reason?.code === 'died';
  const closedBySite = by === 'site' && referral.status === 'rejected';
  const kind = hasDied ? 'ended' : closedBySite ? 'unanswered' : newsForReferrer[referral.status];
  return kind ? [{ ...news, kind, side: 'referrer' }] : [];
}

/** Changes whose email says what happened. Somebody who rings a family in mourning would not have opened “details were changed”. */
const ownKinds: Readonly<Partial<Record<ContentChange['kind'], NotificationKind>>> = {
  reopened: 'reopened',
  'death-reported': 'death',
  'death-confirmed': 'death',
  'death-undone': 'death-undone',
};

/**
 * Both sides must know of a death, a changed agreement, and a referral that goes on after all. A raised urgency is a kind of its own:
 * somebody who has changes emailed once a day may have that at once.
 */
function newsOfContent(change: ContentChange): NewNotification[] {
  if (change.endFollows) return [];
  const { referral, before, kind, by, actorId, at } = change;
  const isRaised = referral.urgency === 'urgent' && before.urgency !== 'urgent';
  const newsKind = ownKinds[kind] ?? (isRaised ? 'became-urgent' : 'changed');
  const news = { referralId: referral.id, kind: newsKind, actorId, at } as const;
  const isForBoth = kind.startsWith('death-') || kind === 'agreement' || kind === 'reopened';
  if (isForBoth) return forBothSides(news);
  // The people of the other service learn of it as of a new one.
  if (kind === 'transfer')
    return [
      { ...news, side: 'referrer' },
      { ...news, kind: 'new-referral', side: 'provider' },
    ];
  return [{ ...news, side: by === 'provider' ? 'referrer' : 'provider' }];
}
