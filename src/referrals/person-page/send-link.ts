import { findReferralMarks, findServiceForReferral } from '../../library/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { newId } from '../../platform/ids/index.ts';
import {
  countWithheldText,
  isMailAddress,
  mayText,
  queueMails,
  queueText,
} from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { sendsTexts } from '../../platform/texts/index.ts';
import { unsafeElsewhere } from '../model/access/contact-elsewhere.ts';
import { londonDate } from '../model/due/dates.ts';
import { addressOfPage, pageClosesAfterDays, whyNoPersonPage } from '../model/person-page/person-page.ts';
import {
  endPersonPages,
  findPageById,
  insertPersonPage,
  listPersonPages,
  type PersonPage,
} from '../model/person-page/person-pages-store.ts';
import { openStatuses, type Referral } from '../model/referral.ts';
import { findReferral } from '../model/referrals-store.ts';
import { mayBeSent } from '../model/status/usable.ts';

// Another organisation’s referral may say that messages to the person are not safe, or tell of a danger. Then nothing goes to them, and their
// page is “withheld”. The referrer still sees the same as always, on pages, in the API, in the leaflet and behind the link, because a
// refusal would say that somebody else knows the person.

type Deps = Pick<Platform, 'secrets' | 'settings' | 'clock'>;

/**
 * The address to which messages for the person may go, as far as the referrer’s organisation may know; undefined if there must be none.
 * This is checked again whenever a link is used. So a link stops working when one of these no longer makes it safe: the referrer’s tick, the
 * safe contact, the service, and the organisation’s other referrals.
 */
export async function addressForPage(
  db: Db,
  deps: Pick<Platform, 'settings' | 'clock'>,
  referral: Referral,
): Promise<string | undefined> {
  const { content, status, status_reason, versionAt } = referral;
  const now = deps.clock.now();
  if (content.person_page?.send !== true || !mayBeSent(referral)) return undefined;
  if (status === 'entered-in-error' || status_reason?.code === 'died') return undefined;
  const isOver = !openStatuses.includes(status);
  if (isOver && now.getTime() - versionAt.getTime() > pageClosesAfterDays * dayMs) return undefined;
  if (whyNoPersonPage(content, await circumstancesOf(db, deps, referral))) return undefined;
  if ((await unsafeElsewhere(db, deps.settings, referral)).own) return undefined;
  return addressOfPage(content);
}

/** What else decides whether a page may be sent about a referral, besides the referral itself. */
export async function circumstancesOf(
  db: Db,
  { settings, clock }: Pick<Platform, 'settings' | 'clock'>,
  referral: Pick<Referral, 'service_id' | 'created_at'>,
) {
  const service = await findServiceForReferral(db, referral.service_id);
  const { isSensitive } = await findReferralMarks(db);
  return {
    isOn: settings.personPages,
    sendsTexts: sendsTexts(settings),
    // A service that has left the library may have been sensitive.
    isSensitive: service === undefined || isSensitive(referral),
    crisisPhrases: settings.crisisPhrases,
    today: londonDate(clock.now()),
  };
}

/** Whether nothing may go to the person about this page because of another organisation’s referral. */
export async function isWithheld(
  db: Db,
  { settings }: Pick<Platform, 'settings'>,
  page: PersonPage,
  referral: Referral,
): Promise<boolean> {
  return page.withheldAt !== null || (await unsafeElsewhere(db, settings, referral)).other;
}

/** The open page of the referral, if its address may still be used. It may be withheld. */
export async function findUsablePage(
  db: Db,
  deps: Pick<Platform, 'settings' | 'clock'>,
  referral: Referral,
): Promise<PersonPage | undefined> {
  const pages = (await listPersonPages(db, [referral.id])).get(referral.id) ?? [];
  const open = pages.find(({ endedAt }) => endedAt === null);
  return open && (await addressForPage(db, deps, referral)) === open.address ? open : undefined;
}

/**
 * Sends the person a link to a new page about the referral, in the caller’s transaction. Their earlier links end.
 * @returns false if none may be sent, or if too many texts were sent (`mayTextLink`). It is true if the page is withheld, so that nobody
 * learns of the other referral.
 */
export async function sendPersonPage(
  trx: Trx,
  deps: Platform,
  referral: Referral,
  { byName, at }: { byName: string; at: Date },
): Promise<boolean> {
  const address = await addressForPage(trx, deps, referral);
  if (address === undefined || !(await mayTextLink(trx, deps, referral, address))) return false;
  await endPersonPages(trx, referral.id, { reason: 'sent-again', byName, at });
  const id = newId(at.getTime());
  const secretHash = hashOf(deps, secretOf(deps, id));
  const mustWithhold = (await unsafeElsewhere(trx, deps.settings, referral)).other;
  const page = {
    id,
    referralId: referral.id,
    address,
    secretHash,
    sentAt: at,
    sentByName: byName,
    withheldAt: mustWithhold ? at : null,
  };
  await insertPersonPage(trx, page);
  if (mustWithhold) await countWithheld(trx, deps, address, causeOf(referral));
  else await queueLink(trx, deps, page, causeOf(referral));
  return true;
}

/** Sends the person the link to their page again, unless the page is withheld. */
export async function sendLinkAgain(
  trx: Trx,
  deps: Platform,
  page: PersonPage,
  referral: Referral,
): Promise<void> {
  const { id, address } = page;
  if (await isWithheld(trx, deps, page, referral)) return countWithheld(trx, deps, address);
  if (isMailAddress(address) || (await mayText(trx, deps, { kind: 'person', to: address })))
    return queueLink(trx, deps, page);
  deps.log.warn({ page: id }, 'a person was not told of news: too many texts went to their number');
}

/** Whether the referrer’s organisation may have one more link sent to this address. Only texts are limited. */
export async function mayTextLink(
  trx: Trx,
  deps: Platform,
  referral: Referral,
  address: string,
): Promise<boolean> {
  return (
    isMailAddress(address) || mayText(trx, deps, { kind: 'person', to: address, causedBy: causeOf(referral) })
  );
}

/** Counts a text that was not sent, so that a withheld page reaches the limits of texts as any other does. */
export async function countWithheld(trx: Trx, deps: Platform, to: string, causedBy?: string): Promise<void> {
  if (!isMailAddress(to))
    await countWithheldText(trx, deps, { kind: 'person', to, ...(causedBy !== undefined && { causedBy }) });
}

const causeOf = ({ referrerOrganisationId, referrerAccountId }: Referral) =>
  referrerOrganisationId ?? referrerAccountId;

/** Whether a queued message about a page may still go to this address. It may no longer be safe. */
export async function mayStillTellPerson(
  deps: Pick<Platform, 'db' | 'settings' | 'clock'>,
  { linkId, to }: { linkId: string; to: string },
): Promise<boolean> {
  const { db } = deps;
  const page = await findPageById(db, linkId);
  const referral = page && page.endedAt === null ? await findReferral(db, page.referralId) : undefined;
  if (!page || !referral || page.address !== to) return false;
  return (
    (await addressForPage(db, deps, referral)) === page.address &&
    !(await isWithheld(db, deps, page, referral))
  );
}

/** The message is always the same and says nothing about the referral, because others may read it over the person’s shoulder. */
async function queueLink(
  trx: Trx,
  deps: Platform,
  { id, address }: Pick<PersonPage, 'id' | 'address'>,
  causedBy?: string,
): Promise<void> {
  const link = linkOf(deps, id);
  if (!isMailAddress(address)) {
    // The link comes last, where the preview on a locked screen often ends.
    const text = `You have a message. To read it, open this page and ask for a code. If you are in danger, call 999. ${link}`;
    return queueText(
      trx,
      deps,
      'person',
      { to: address, text },
      { linkId: id, ...(causedBy !== undefined && { causedBy }) },
    );
  }
  const text = `You have a message. Read it here:

${link}

The page sends a code to this email address, and opens with that code.

Please do not reply to this email: nobody reads the replies. If you are in danger, call 999.
`;
  await queueMails(trx, deps, 'person', [{ to: address, subject: 'You have a message', text }], {
    linkId: id,
  });
}

/** The link is the same in every email, text and leaflet about a referral, though only a keyed hash of its secret is stored. */
export function linkOf(deps: Pick<Deps, 'secrets' | 'settings'>, pageId: string): string {
  return `${deps.settings.baseUrl}/my/${secretOf(deps, pageId)}`;
}

/** The secret of a link is made from the page’s id, so only its hash is stored, and a lost database opens no page. */
const secretOf = ({ secrets }: Pick<Deps, 'secrets'>, pageId: string) =>
  secrets.hash('link of person page', pageId).toString('base64url');
export const hashOf = ({ secrets }: Pick<Deps, 'secrets'>, secret: string) =>
  secrets.hash('stored person page', secret);
