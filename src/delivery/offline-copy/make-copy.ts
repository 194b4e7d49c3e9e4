import { findReferralMarks, mentionsCrisis, type ReferralMarks } from '../../library/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayInWords, momentInWords } from '../../platform/html/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import {
  type ContactElsewhere,
  contactElsewhereInWords,
  contactNotAsked,
  findReferrals,
  forColleague,
  hiddenServiceName,
  isRiskToRead,
  listLaterTexts,
  loadContactElsewhereForLetters,
  londonDate,
  needsCareToContact,
  nextDateOf,
  type Referral,
  recordAccessByCopy,
  replacedWays,
  replacedWaysInWords,
  safeContactInWords,
} from '../../referrals/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import type { OpenReferral, OpenReferrals } from '../letter/draw/draw-open-referrals.ts';
import {
  deleteChoice,
  deleteCopyFiles,
  deleteUnattendedCopies,
  findCopyChoice,
  findOrganisationWithSides,
  isAnyRestrictedOrErased,
  listOpenReferralIds,
  listOrganisationsWithCopy,
  saveCopyFile,
  stopEmails,
} from '../model/offline-copies-store.ts';
import { openPassword } from './copy-password.ts';
import { isOwnAddress } from './own-address.ts';
import { tellColleagues } from './tell-colleagues.ts';

/** For each side. It is far more than an organisation has open; drawing them takes seconds. */
const maxReferrals = 3000;

/** The `make-offline-copies` job: each night, a job for each organisation that has chosen a copy. */
export async function makeOfflineCopies({ db }: DeliveryDeps): Promise<void> {
  await inTransaction(db, async (trx) => {
    await deleteUnattendedCopies(trx);
    const ids = await listOrganisationsWithCopy(trx);
    if (ids.length > 0)
      await addJobs(
        trx,
        'make-offline-copy',
        ids.map((id) => ({ organisation_id: id })),
      );
  });
}

export type CopyToMake = { organisation_id: string; without_email?: boolean };

/** The `make-offline-copy` job: replaces the copy of an organisation, and emails it if that was chosen. */
export async function makeOfflineCopy(
  deps: DeliveryDeps,
  { organisation_id: organisationId, without_email: withoutEmail = false }: CopyToMake,
): Promise<void> {
  const { db, clock, letterDrawer, settings } = deps;
  const choice = await findCopyChoice(db, organisationId);
  if (!choice) return;
  const password = openPassword(deps, organisationId, choice.sealedPassword);
  if (password === undefined) return stopUnreadable(deps, organisationId);
  const at = clock.now();
  // If the organisation is gone, so is its choice.
  const organisation = (await findOrganisationWithSides(db, organisationId))!;
  const { openReferrals, referralIds } = await collectOpenReferrals(deps, organisation, at);
  const file = await letterDrawer.drawOpenReferrals(openReferrals, password);
  await inTransaction(db, async (trx) => {
    const copy = { file, referralIds, at };
    if (!(await saveCopyFile(trx, { organisationId, sealedPassword: choice.sealedPassword }, copy))) return;
    // Somebody who restricts or erases one from now on waits for this transaction, and then deletes the copy.
    if (await isAnyRestrictedOrErased(trx, referralIds)) {
      await deleteCopyFiles(trx, [organisationId]);
      return addJobs(trx, 'make-offline-copy', [
        { organisation_id: organisationId, without_email: withoutEmail },
      ]);
    }
    if (choice.email === null || withoutEmail) return;
    if (!(await isOwnAddress(trx, organisation, choice.email))) return stopSending(trx, deps, organisationId);
    await recordAccessByCopy(trx, { organisationId, sentTo: choice.email }, referralIds, at);
    const name = fileNameOf(at);
    await mailPeople(trx, deps, 'offline-copy', {
      to: [choice.email],
      subject: 'Your offline copy',
      paragraphs: [
        'The file has the open referrals of your organisation. It opens with the password that your organisation has chosen.',
        'Keep it where you can open it without the site, and delete the copy before it.',
        `To change or stop it: ${settings.baseUrl}/offline-copy`,
      ],
      files: [{ name, type: 'application/pdf', content: file }],
    });
  });
}

/** The name of a copy's file, by its day. */
export function fileNameOf(madeAt: Date): string {
  return `open-referrals-${londonDate(madeAt)}.pdf`;
}

/** A database under another site key cannot open the password, so people choose one again. */
async function stopUnreadable(deps: DeliveryDeps, organisationId: string): Promise<void> {
  deps.log.error({ organisation: organisationId }, 'the password of an offline copy cannot be read');
  await inTransaction(deps.db, async (trx) => {
    await deleteChoice(trx, organisationId);
    await tellColleagues(trx, deps, organisationId, {
      what: 'The offline copy was stopped, because the site can no longer read its password',
      whatToDo: 'Choose a new password',
    });
  });
}

/** Stops the emails, because the address no longer belongs to the organisation. */
async function stopSending(trx: Trx, deps: DeliveryDeps, organisationId: string): Promise<void> {
  await stopEmails(trx, organisationId);
  await tellColleagues(trx, deps, organisationId, {
    what: 'Your offline copy is no longer sent by email, because the address is no longer one of your organisation',
    whatToDo: 'Choose another address, or download the copy',
  });
}

async function collectOpenReferrals(
  deps: DeliveryDeps,
  organisation: NonNullable<Awaited<ReturnType<typeof findOrganisationWithSides>>>,
  at: Date,
): Promise<{ openReferrals: OpenReferrals; referralIds: string[] }> {
  const { settings } = deps;
  const marks = await findReferralMarks(deps.db);
  const groups = [
    organisation.hasReceived && {
      heading: 'Referrals to your services',
      whose: { receivedBy: organisation.libraryOrganizationId! },
    },
    organisation.hasMade && { heading: 'Referrals you made', whose: { madeBy: organisation.id } },
  ].filter((each) => each !== false);
  const sections: OpenReferrals['sections'][number][] = [];
  const referralIds: string[] = [];
  let allTotal = 0;
  for (const { heading, whose } of groups) {
    const { people, ids, total } = await collectSide(deps, marks, whose);
    referralIds.push(...ids);
    allTotal += total;
    sections.push({ heading: `${heading} (${total})`, people });
  }
  const openReferrals = {
    siteName: settings.siteName,
    test: settings.mode === 'test',
    organisation: organisation.name,
    at: at.toISOString(),
    atInWords: momentInWords(at),
    sections,
    leftOut: allTotal - referralIds.length,
  };
  return { openReferrals, referralIds };
}

/** The open referrals that an organisation has made or received, for the copy. `total` also counts those that the copy leaves out. */
async function collectSide(
  { db, settings }: DeliveryDeps,
  marks: ReferralMarks,
  whose: { madeBy: string } | { receivedBy: string },
): Promise<{ people: OpenReferral[]; ids: string[]; total: number }> {
  const isForReferrers = 'madeBy' in whose;
  const open = await listOpenReferralIds(db, whose, maxReferrals);
  const referrals = await findReferrals(db, open.ids);
  const openReferrals = open.ids.flatMap((id) => referrals.get(id) ?? []);
  const elsewhere = await loadContactElsewhereForLetters(
    db,
    openReferrals,
    isForReferrers ? 'referrer' : 'provider',
  );
  const laterTexts = await listLaterTexts(db, open.ids);
  const people = openReferrals.map((referral) => {
    const hasCrisisSince = (laterTexts.get(referral.id) ?? []).some((text) =>
      mentionsCrisis(text, settings.crisisPhrases),
    );
    const hasRisk = hasCrisisSince || isRiskToRead(referral.content, settings.crisisPhrases);
    const others = elsewhere.get(referral.id) ?? [];
    const { first } = contactElsewhereInWords(others, settings);
    const about = {
      readFirst: first && `${first} This referral says:`,
      mayRing: !others.some(forbidsToRing),
      hasRisk,
    };
    return isForReferrers
      ? describeForReferrers(referral, marks, about)
      : describeReferral(referral, marks.isSensitive(referral), about);
  });
  return { people, ids: openReferrals.map(({ id }) => id), total: open.total };
}

/** Colleagues of the referrer read this, and must not learn where a sensitive or confidential service is, or which one it is. */
function describeForReferrers(
  referral: Referral,
  marks: ReferralMarks,
  about: { readFirst: string | undefined; mayRing: boolean; hasRisk: boolean },
): OpenReferral {
  if (marks.isSensitive(referral)) return askReferrerFirst(describeReferral(referral, true), referral);
  if (!marks.isSensitiveOrConfidential(referral)) return describeReferral(referral, false, about);
  const replaced = replacedWaysInWords(replacedWays(referral));
  const readFirst = [about.readFirst, replaced].filter(Boolean).join(' ') || undefined;
  return describeReferral(forColleague(referral), false, { ...about, readFirst });
}

/**
 * What colleagues of the referrer read of a referral to a sensitive service. Beside “a restricted service”, who must not know or when it
 * is safe to ring would tell what kind of service it is.
 */
function askReferrerFirst(described: OpenReferral, { content, deathReportedAt }: Referral): OpenReferral {
  const { name, telephone } = content.referrer;
  const contact = `Do not contact this person before you have asked ${[name, telephone].filter(Boolean).join(', ')}, who referred them.`;
  return {
    ...described,
    contact: deathReportedAt === null ? contact : described.contact,
    needsCare: true,
    telephone: 'not in this copy',
  };
}

/** Whether another referral forbids to ring. One that may be about a twin only adds a warning. */
function forbidsToRing({ stricter, contact, may_be_another }: ContactElsewhere): boolean {
  return stricter && !may_be_another && (contact === null || contact.safe === 'no');
}

/** `readFirst`: what to read before the referral’s own answer about contact. Words of a risk that a colleague may not read are no `hasRisk`. */
function describeReferral(
  referral: Referral,
  isSensitive: boolean,
  {
    readFirst,
    mayRing = true,
    hasRisk = referral.content.risk === 'yes',
  }: { readFirst?: string | undefined; mayRing?: boolean; hasRisk?: boolean } = {},
): OpenReferral {
  const { patient, contact } = referral.content;
  const next = nextDateOf(referral);
  const due = next === null ? 'No date' : dayInWords(next);
  const died = referral.deathReportedAt !== null;
  const unsafe = contact?.safe === 'no' || !mayRing;
  return {
    name: [
      `${patient.given_name} ${patient.family_name}`,
      ...(referral.urgency === 'urgent' ? ['URGENT'] : []),
      ...(hasRisk ? ['RISK'] : []),
    ].join(' – '),
    contact: died
      ? 'Do not contact: we were told that the person has died.'
      : [readFirst, safeContactInWords(contact) ?? contactNotAsked].filter(Boolean).join(' '),
    needsCare: died || readFirst !== undefined || needsCareToContact(contact),
    telephone: unsafe || died ? 'not in this copy' : (patient.telephone ?? 'none'),
    service: isSensitive ? hiddenServiceName : referral.service.name,
    due: referral.status === 'requested' ? `Answer due: ${due}` : `Next step due: ${due}`,
    reference: referral.reference,
  };
}
