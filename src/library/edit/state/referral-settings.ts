import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../../platform/database/index.ts';
import { addJobs } from '../../../platform/jobs/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { requireReason } from '../../../platform/reason.ts';
import { enterMobileNumber, readMobileNumber, sendsTexts } from '../../../platform/texts/index.ts';
import { cleanText } from '../../../platform/visible-text.ts';
import { requireAddresses } from '../../channels/addresses.ts';
import {
  answerEmail,
  codeEmail,
  codeTelephone as codeMobile,
  isForCodes,
  listDeliveryAddresses,
  listPendingAddresses,
} from '../../channels/addresses-store.ts';
import { setAddresses } from '../../channels/change-addresses.ts';
import { loadAddresses, requireSecondMailbox } from '../../channels/second-mailbox.ts';
import {
  findReferralSettings,
  type ReferralSettings,
  saveReferralSettings,
  yearsKept,
} from '../../channels/settings-store.ts';
import { forgetServiceBeforeImports } from '../../write/before-import-store.ts';
import {
  erasePlacesFromHistory,
  listOtherServicesOfOrganization,
} from '../../write/confidential-places-store.ts';
import { removeResponsiveness } from '../../write/responsiveness-store.ts';
import { saveServices } from '../../write/save-services.ts';
import { comparableService, serviceRow } from '../../write/service-row.ts';
import { clearSourceHashes } from '../../write/services-store.ts';
import { openForEdit, readForEdit } from '../edit-service.ts';
import { findEditDates, findStoredService } from '../edit-service-store.ts';
import { markAsSensitive, marks, removeMark } from './change-marks.ts';
import type { ReferralSettingsInput } from './referral-settings-schema.ts';

/** How referrals reach a service, for people who may edit it. @throws Problem `not-found`, `forbidden`. */
export async function readReferralSettings({ db }: Platform, caller: Caller, id: string) {
  await readForEdit(db, caller, id);
  return presentSettings(db, id);
}

type Mark = (typeof marks)[keyof typeof marks];
type SettingsChange = {
  id: string;
  serviceName: string;
  before: ReferralSettings;
  after: NewSettings;
  at: Date;
};
type NewSettings = Omit<ReferralSettings, 'updated_at'>;

/**
 * Sets how referrals reach a service, and who answers them.
 * @throws Problem `not-found`, `forbidden`, `no-mail-server`, `unprocessable` without a reason that is needed, if the mailbox for codes
 * gets the emails too, or if texts cannot go to the number for codes.
 */
export function setReferralSettings(
  deps: Platform,
  caller: Caller,
  { id, ipAddress, settings }: { id: string; ipAddress: string; settings: ReferralSettingsInput },
) {
  const at = deps.clock.now();
  const { addresses, code_email: codeEmail } = settings;
  const codeTelephone = mobileForCodes(settings.code_telephone);
  if (addresses) requireAddresses(addresses, deps.settings.mode);
  return inTransaction(deps.db, async (trx) => {
    const { name: serviceName, organization, organization_id } = await openForEdit(trx, caller, id);
    const before = await findReferralSettings(trx, id);
    const after = completeSettings(settings, before);
    const change = { id, serviceName, before, after, at };
    const whyShorter = requireReasonToShorten(caller, change, settings.retention_reason);
    await requireMailboxOfItsOwn(trx, id, settings);
    if (codeTelephone) await requireTexts(trx, deps, id, codeTelephone);
    await saveReferralSettings(trx, id, after, at);
    // Open referrals get an owner, who asks what becomes of the person.
    if (before.accepts !== after.accepts) await addJobs(trx, 'update-prompts', [{}]);
    await removeOrBringBackPlaces(trx, change);
    const marksOff = await takeMarksOff(trx, deps, caller, change, settings);
    await hideIfNewlySensitive(trx, deps, caller, change);
    await setAddresses(trx, deps, caller, {
      receiver: { serviceId: id },
      name: serviceName,
      organizationId: organization?.id ?? organization_id ?? null,
      addresses,
      answerEmail: after.answer_email,
      codeEmail,
      codeTelephone,
      channels: { before: before.channels, after: after.channels },
    });
    const { answered_by, answer_email, answer_telephone, ...audited } = after;
    const reasons = [
      ...marksOff.map(({ reasonField }) => cleanText(settings[reasonField] ?? '')),
      ...(whyShorter === undefined ? [] : [whyShorter]),
    ];
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service.referral_settings_changed',
      subject: { type: 'service', id },
      details: {
        ...audited,
        ...(addresses && { addresses: Object.keys(addresses) }),
        ...(whyShorter !== undefined && {
          before: { record_kind: before.record_kind, retention_years: before.retention_years },
        }),
        ...(reasons.length > 0 && { reason: reasons.join(' / ') }),
      },
    });
    return presentSettings(trx, id);
  });
}

/** The settings as they will be: what was left out stays as it is, apart from who answers. */
function completeSettings(input: ReferralSettingsInput, before: ReferralSettings): NewSettings {
  const { name = null, email = null, telephone = null } = input.answered_by ?? {};
  const { sensitive = before.sensitive, retention_years = before.retention_years } = input;
  return {
    accepts: input.accepts,
    channels: input.channels,
    answered_by: name,
    answer_email: email,
    answer_telephone: telephone,
    sensitive,
    location_confidential: input.location_confidential ?? before.location_confidential,
    record_kind: input.record_kind ?? before.record_kind,
    retention_years,
    answer_by_link: input.answer_by_link ?? before.answer_by_link,
    self_referral: !sensitive && (input.self_referral ?? before.self_referral),
  };
}

/**
 * Records that are erased too early are gone for good, and the staff of one service do not decide that alone.
 * @returns the reason, if this change shortens how long records are kept; else undefined
 * @throws Problem `unprocessable` for anybody but an operator, and without a reason
 */
function requireReasonToShorten(
  caller: Caller,
  { before, after }: SettingsChange,
  reason: string | undefined,
): string | undefined {
  const years = ({ retention_years: own, record_kind: kind }: NewSettings) => own ?? yearsKept[kind];
  const isOtherKind = yearsKept[after.record_kind] < yearsKept[before.record_kind];
  const isBelowKind = years(after) < yearsKept[after.record_kind] && years(after) < years(before);
  if (!isOtherKind && !isBelowKind) return undefined;
  if (caller.roles.includes('operator')) return requireReason(reason, { pointer: '/retention_reason' });
  const pointer = isBelowKind ? '/retention_years' : '/record_kind';
  const message = 'Only an operator of this site can have records kept for less time: ask them, and say why';
  throw new Problem(unprocessable, 'The records would be kept for less time.', {
    errors: [{ pointer, message }],
  });
}

/** @throws Problem `unprocessable` if one mailbox would get the link and the code. */
async function requireMailboxOfItsOwn(
  trx: Trx,
  serviceId: string,
  { code_email, addresses, answered_by }: ReferralSettingsInput,
): Promise<void> {
  if (!code_email && !addresses && !answered_by) return;
  const stored = await loadAddresses(trx, { serviceId });
  const codes = code_email === undefined ? stored(codeEmail) : [code_email];
  const letters = addresses ? [addresses.email] : stored('email');
  requireSecondMailbox({ codes, letters: [...letters, answered_by?.email] }, '/code_email');
}

/** The mobile number for codes in the form in which it is stored. @throws Problem `unprocessable` for any other number */
function mobileForCodes(number: string | null | undefined): string | null | undefined {
  if (number === undefined || number === null) return number;
  const mobile = readMobileNumber(number);
  if (mobile !== undefined) return mobile;
  throw refusedMobile(enterMobileNumber);
}

/** A site that sends no texts keeps a number that it has. @throws Problem `unprocessable` */
async function requireTexts(
  trx: Trx,
  { settings }: Platform,
  serviceId: string,
  mobile: string,
): Promise<void> {
  if (sendsTexts(settings)) return;
  const inUse = await listDeliveryAddresses(trx, { serviceId });
  if (inUse[codeMobile] === mobile) return;
  throw refusedMobile('This site sends no text messages: give an email address for codes instead');
}

const refusedMobile = (message: string) =>
  new Problem(unprocessable, 'The mobile number for codes cannot be used.', {
    errors: [{ pointer: '/code_telephone', message }],
  });

/** Removes the places of a service that becomes confidential. When it no longer is, the next import brings them back. */
async function removeOrBringBackPlaces(trx: Trx, { id, before, after, at }: SettingsChange): Promise<void> {
  if (after.location_confidential === before.location_confidential) return;
  if (after.location_confidential) await removePlaces(trx, id, at);
  else await clearSourceHashes(trx, [id, ...(await listOtherServicesOfOrganization(trx, id))]);
}

/** @returns the marks that were taken off. @throws Problem `forbidden`, `unprocessable` without a reason. */
async function takeMarksOff(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  { id, serviceName, before, after, at }: SettingsChange,
  settings: ReferralSettingsInput,
): Promise<Mark[]> {
  const marksOff = [
    ...(before.sensitive && !after.sensitive ? [marks.sensitive] : []),
    ...(before.location_confidential && !after.location_confidential ? [marks.location_confidential] : []),
  ];
  for (const mark of marksOff)
    await removeMark(trx, deps, caller, { mark, id, serviceName, typed: settings[mark.reasonField], at });
  return marksOff;
}

async function hideIfNewlySensitive(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  { id, serviceName, before, after, at }: SettingsChange,
): Promise<void> {
  if (before.sensitive || !after.sensitive) return;
  // The exact figures are removed; the next hourly run stores rounded ones.
  await removeResponsiveness(trx, id);
  await markAsSensitive(trx, deps, caller, { id, serviceName, at });
}

/**
 * Removes the places of a service from everything that this site keeps, also where other services list them as their
 * organisation's.
 */
async function removePlaces(trx: Trx, markedId: string, at: Date): Promise<void> {
  for (const id of [markedId, ...(await listOtherServicesOfOrganization(trx, markedId))]) {
    const service = (await findStoredService(trx, id))!;
    const editedAt = await findEditDates(trx, [id]);
    await saveServices(trx, [serviceRow(comparableService(service, undefined, at))], at, { editedAt });
    await erasePlacesFromHistory(trx, id, id === markedId ? 'all' : 'of-organization');
    await forgetServiceBeforeImports(trx, id);
  }
}

async function presentSettings(db: Db, id: string) {
  const settings = await findReferralSettings(db, id);
  const { answered_by, answer_email, answer_telephone, updated_at, ...rest } = settings;
  return {
    ...rest,
    ...(await presentAddresses(db, id)),
    answered_by: { name: answered_by, email: answer_email, telephone: answer_telephone },
    updated_at: updated_at?.toISOString() ?? null,
  };
}

/** The addresses as they were set, and those not confirmed yet, each with the address used until then. */
async function presentAddresses(db: Db, serviceId: string) {
  const all = await listDeliveryAddresses(db, { serviceId });
  const { [answerEmail]: _, [codeEmail]: code, [codeMobile]: mobile, ...inUse } = all;
  const pending = await listPendingAddresses(db, { serviceId });
  const set = pending.filter(({ channel }) => channel !== answerEmail && !isForCodes(channel));
  const pendingOf = (name: string) => pending.find(({ channel }) => channel === name)?.address;
  return {
    addresses: { ...inUse, ...Object.fromEntries(set.map(({ channel, address }) => [channel, address])) },
    code_email: pendingOf(codeEmail) ?? code ?? null,
    code_telephone: pendingOf(codeMobile) ?? mobile ?? null,
    unconfirmed_addresses: pending.map(({ channel, address, expiresAt }) => ({
      name: channel,
      address,
      in_use: all[channel] ?? null,
      link_ends_at: expiresAt.toISOString(),
    })),
  };
}
