import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { listLifeChanges } from '../corrections/life-changes-store.ts';
import { listContactInOthers } from '../model/access/contact-elsewhere-store.ts';
import { lastLogged } from '../model/after-acceptance/contacts.ts';
import type { ContentChange, ReferralListener, RoomsAbove, StatusChange } from '../model/deps.ts';
import { sharingLevel } from '../model/person/agreement.ts';
import { findLaterTexts } from '../model/person/danger/later-texts-store.ts';
import { mayBeReadByHarmer, mayTellOfDanger } from '../model/person/danger/risk.ts';
import type { PageEndReason } from '../model/person-page/person-page.ts';
import { endPersonPages, withholdPersonPages } from '../model/person-page/person-pages-store.ts';
import type { Referral, ReferralStatus } from '../model/referral.ts';
import { findReferral } from '../model/referrals-store.ts';
import { findUsablePage, sendLinkAgain, sendPersonPage } from './send-link.ts';

/** The statuses that the person is told about. The message is the same each time, and only their page says which it is. */
const newsForPerson: readonly ReferralStatus[] = [
  'accepted',
  'on-hold',
  'rejected',
  'completed',
  'failed',
  'cancelled',
];

/**
 * Sends the person a link to their page about a new referral if the referrer ticked that, and tells them when there is news. All links
 * end when
 * - the person has died, or things have changed for them;
 * - somebody writes words of a crisis or of abuse at home;
 * - a message is no longer safe;
 * - the record is restricted or erased;
 * - the person agrees to less.
 */
export function personPageListener(
  platform: Platform,
  knows: Pick<RoomsAbove, 'findEndingByLink'>,
): ReferralListener {
  return {
    async onStatusChange(trx, changes) {
      for (const change of changes) {
        await followStatus(trx, platform, knows, change);
        if (change.from === null || change.from === 'draft')
          await endOrWithholdIfUnsafe(trx, platform, change);
      }
    },
    async onMessage(trx, message) {
      await endForDanger(trx, platform, message, [message.text]);
    },
    async onFile(trx, file) {
      await endForDanger(trx, platform, file, [file.name]);
    },
    async onFollowUp(trx, followUp) {
      const { referral, kind } = followUp;
      const note = kind === 'contact' ? lastLogged(referral.content.contacts)?.note : undefined;
      await endForDanger(trx, platform, followUp, [note]);
    },
    async onContentChange(trx, change) {
      const reason = endReasonOf(change) ?? (await unsafeReasonOf(trx, platform, change.referral));
      if (reason) await endPersonPages(trx, change.referral.id, { reason, at: change.at });
      await endOrWithholdIfUnsafe(trx, platform, change);
      if (change.kind === 'things-have-changed') {
        const [newest] = await listLifeChanges(trx, change.referral.id);
        await endForDanger(trx, platform, change, [newest?.text]);
      }
    },
    async onRecordChange(trx, change) {
      if (change.kind === 'restricted')
        await endPersonPages(trx, change.referral.id, { reason: 'restricted', at: change.at });
    },
    async onEndingChecked(trx, referralId, checked) {
      const referral = checked.isRight ? await findReferral(trx, referralId) : undefined;
      if (referral) await tellPerson(trx, platform, referral);
    },
  };
}

async function followStatus(
  trx: Trx,
  platform: Platform,
  knows: Pick<RoomsAbove, 'findEndingByLink'>,
  { referral, from, at }: StatusChange,
): Promise<void> {
  const { status, status_reason, content, id } = referral;
  if (status !== from)
    await endForDanger(trx, platform, { referral, at }, [referral.outcome?.text, status_reason?.text]);
  if (content.person_page?.send !== true) return;
  if (status === 'requested' && (from === null || from === 'draft')) {
    await sendPersonPage(trx, platform, referral, { byName: content.referrer.name, at });
    return;
  }
  if (status_reason?.code === 'died') {
    await endPersonPages(trx, id, { reason: 'died', at });
    return;
  }
  if (status === 'entered-in-error') {
    await endPersonPages(trx, id, { reason: 'withdrawn', at });
    return;
  }
  if (status === from) return;
  // The service may take back its decline within minutes; the referrer may say within a day that an ending by link was a mistake.
  if (referral.declineFinalAt !== null) return;
  if (await knows.findEndingByLink(trx, id)) return;
  await tellPerson(trx, platform, referral);
}

/** Tells the person that there is news on their page, if they have one and are told about this status. */
export async function tellPerson(trx: Trx, platform: Platform, referral: Referral): Promise<void> {
  if (!newsForPerson.includes(referral.status)) return;
  const page = await findUsablePage(trx, platform, referral);
  if (page) await sendLinkAgain(trx, platform, page, referral);
}

/**
 * Ends the links if the texts tell of a danger: they may say who reads the person’s messages. Nothing more is sent about any of their
 * referrals until the referrer has asked the person and sends them a new link.
 */
async function endForDanger(
  trx: Trx,
  { settings }: Platform,
  { referral, at }: Pick<StatusChange, 'referral' | 'at'>,
  texts: readonly (string | undefined)[],
): Promise<void> {
  const isDangerous = (text: string) => mayTellOfDanger(text, settings.crisisPhrases);
  if (!texts.some((text) => text !== undefined && isDangerous(text))) return;
  await endPersonPages(trx, referral.id, { reason: 'no-longer-safe', at });
  await endOrWithholdElsewhere(trx, referral.id, at);
}

/** Why the links that were sent are no longer safe, such as a new address or a danger in the referral; undefined if they are safe. */
async function unsafeReasonOf(
  trx: Trx,
  platform: Platform,
  referral: Referral,
): Promise<PageEndReason | undefined> {
  if (referral.content.person_page?.send !== true) return undefined;
  return (await findUsablePage(trx, platform, referral)) ? undefined : 'no-longer-safe';
}

/**
 * If this referral says that messages are not safe, or tells of a danger, links about other referrals of the person end or are
 * withheld now. Otherwise they would work again once this one has ended.
 */
async function endOrWithholdIfUnsafe(
  trx: Trx,
  { settings }: Platform,
  { referral, at }: Pick<StatusChange, 'referral' | 'at'>,
): Promise<void> {
  const laterTexts = await findLaterTexts(trx, referral);
  if (mayBeReadByHarmer(referral.content, laterTexts, settings.crisisPhrases))
    await endOrWithholdElsewhere(trx, referral.id, at);
}

/**
 * Ends the organisation’s own links. Those of other organisations are only withheld, so that they learn nothing of this referral. This
 * includes the pages of ended referrals. Otherwise they would open again when this one ends, and nobody would have asked whether it is safe.
 */
async function endOrWithholdElsewhere(trx: Trx, referralId: string, at: Date): Promise<void> {
  const others = await listContactInOthers(trx, [referralId], { wholeSite: true, endedWithPage: true });
  for (const { id, sameReferrer } of others.get(referralId) ?? []) {
    if (sameReferrer) await endPersonPages(trx, id, { reason: 'no-longer-safe', at });
    else await withholdPersonPages(trx, id, at);
  }
}

/** Why a change of what the referral says ends the links for good; undefined if it does not. */
function endReasonOf({ kind, referral, before }: ContentChange): PageEndReason | undefined {
  if (kind === 'death-reported' || kind === 'death-confirmed') return 'died';
  // Perhaps somebody else reads the person’s messages now. Somebody asks them, and sends a new link.
  if (kind === 'things-have-changed') return 'things-have-changed';
  const extent = ({ content }: Referral) => sharingLevel(content.consent.share_with_gp);
  return kind === 'agreement' && extent(referral) < extent(before) ? 'agreement-changed' : undefined;
}
