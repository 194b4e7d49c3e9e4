import { type Static, Type } from 'typebox';
import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../../platform/database/index.ts';
import { addJobs } from '../../../platform/jobs/index.ts';
import { mailboxOf } from '../../../platform/mail/index.ts';
import { newSigningSecret } from '../../../platform/outbound/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { maxReasonLength, reasonRule, requireReason } from '../../../platform/reason.ts';
import { cleanText } from '../../../platform/visible-text.ts';
import { deliveryAddressesSchema, requireAddresses } from '../../channels/addresses.ts';
import {
  answerEmail,
  codeEmail,
  listDeliveryAddresses,
  listPendingAddresses,
  saveDeliverySecret,
} from '../../channels/addresses-store.ts';
import { setAddresses } from '../../channels/change-addresses.ts';
import {
  findReferralSettings,
  markSettingsChanged,
  type ReferralSettings,
  saveReferralSettings,
  yearsKept,
} from '../../channels/settings-store.ts';
import { channelsSchema } from '../../model/channels.ts';
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
import { findEditDates, findStoredService } from '../store.ts';
import { beginSensitive, marks, takeMarkOff } from './change-marks.ts';

const line = (maxLength: number, description: string, format = {}) =>
  Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength, ...format }), Type.Null()], { description }),
  );

export const referralSettingsSchema = Type.Object(
  {
    accepts: Type.Boolean({ description: 'Whether referrals can be made to the service on this site.' }),
    channels: channelsSchema,
    sensitive: Type.Optional(
      Type.Boolean({
        description:
          'Somebody may be hurt for using the service, or ashamed that others know: domestic or sexual abuse, sexual health, drugs and alcohol, gambling, refuges, gender, asylum, HIV. Reports do not name it. Left out, it stays as it is. Only an operator sets it to false for a sensitive service, and gives a `sensitive_reason`; referrals from before then stay as hidden as they were.',
      }),
    ),
    sensitive_reason: Type.Optional(
      Type.String({
        maxLength: maxReasonLength,
        description: `Why the service is not sensitive any more. ${reasonRule}. All operators are emailed it. No answer has it.`,
      }),
    ),
    location_confidential: Type.Optional(
      Type.Boolean({
        description:
          'Its location is confidential. This site then keeps none of its places: no answer, feed, map or history has them. The places of its organisation are left out too. Mark every other service that is at the same place. When it becomes false, the next import or edit brings them back. Left out, it stays as it is. Only an operator sets it to false for such a service, and gives a `location_reason`; what the service’s staff entered for referrals from before stays hidden.',
      }),
    ),
    location_reason: Type.Optional(
      Type.String({
        maxLength: maxReasonLength,
        description: `Why its location is not confidential any more. ${reasonRule}. All operators are emailed it. No answer has it.`,
      }),
    ),
    record_kind: Type.Optional(
      Type.Enum(['general', 'mental_health'], {
        title: 'RecordKind',
        description: `Records of mental health care are kept for ${yearsKept.mental_health} years after the last entry, others for ${yearsKept.general}. Left out, it stays as it is. Only an operator sets it from \`mental_health\` back to \`general\`, and gives a \`retention_reason\`.`,
      }),
    ),
    retention_years: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 100 }), Type.Null()], {
        description:
          'A period of the service’s own, in years after the last entry. Null: the period of its kind. On a site that erases by itself it counts only where it is longer than the site’s. Left out, it stays as it is. Only an operator makes it shorter than that of its kind, and gives a `retention_reason`.',
      }),
    ),
    retention_reason: Type.Optional(
      Type.String({
        maxLength: maxReasonLength,
        description: `Why records are kept for less time than before. ${reasonRule}. The audit keeps it. No answer has it.`,
      }),
    ),
    answer_by_link: Type.Optional(
      Type.Boolean({
        description:
          'Its emails about referrals have a link by which somebody confirms, accepts or declines without an account. `code_email` lets them do more. Never for a sensitive service, nor where the site has switched it off. False also ends the links that were sent. Left out, it stays as it is.',
      }),
    ),
    code_email: Type.Optional(
      Type.Union([Type.String({ maxLength: 254, format: 'email' }), Type.Null()], {
        description:
          'A second mailbox, which does not get the emails with the link to answer. An address that differs only after a plus sign is the same mailbox. A code that is sent to it opens a referral to people without an account: its details, and the steps after the answer. Like each address it is used once it is confirmed. Without one they can only confirm, accept, decline, or ask to be rung. Left out, it stays as it is; null removes it.',
      }),
    ),
    self_referral: Type.Optional(
      Type.Boolean({
        description:
          'People may refer themselves on its page in the public directory, where the site has switched that on. Staff ring them before anything is sent. Always false for a sensitive service. Left out, it stays as it is.',
      }),
    ),
    addresses: Type.Optional(deliveryAddressesSchema),
    answered_by: Type.Optional(
      Type.Object(
        {
          name: line(
            200,
            'Who answers: a person, a desk or a team. Null is the organisation that runs the service.',
          ),
          email: line(254, 'Where they read about new referrals.', { format: 'email' }),
          telephone: line(50, 'Where somebody can ask after a referral.'),
        },
        {
          additionalProperties: false,
          description: 'Who answers the service’s referrals. What you leave out of it is removed.',
        },
      ),
    ),
  },
  { title: 'ReferralSettingsChange', additionalProperties: false },
);

type GivenSettings = Static<typeof referralSettingsSchema>;

/** How referrals reach a service, for people who may edit it. @throws Problem `not-found`, `forbidden`. */
export async function readReferralSettings({ db }: Platform, caller: Caller, id: string) {
  await readForEdit(db, caller, id);
  return presentSettings(db, id);
}

type Mark = (typeof marks)[keyof typeof marks];
type Change = { id: string; serviceName: string; before: ReferralSettings; after: NewSettings; at: Date };
type NewSettings = Omit<ReferralSettings, 'updated_at'>;

/**
 * Sets how referrals reach a service, and who answers them.
 * @throws Problem `not-found`, `forbidden`, `no-mail-server`, `unprocessable` without a reason that is needed, or if the mailbox for codes
 * gets the emails too.
 */
export function setReferralSettings(
  deps: Platform,
  caller: Caller,
  { id, ipAddress, settings }: { id: string; ipAddress: string; settings: GivenSettings },
) {
  const at = deps.clock.now();
  const { addresses, code_email: codeEmail } = settings;
  if (addresses) requireAddresses(addresses, deps.settings.mode);
  return inTransaction(deps.db, async (trx) => {
    const { name: serviceName, organization, organization_id } = await openForEdit(trx, caller, id);
    const before = await findReferralSettings(trx, id);
    const after = completeSettings(settings, before);
    const change = { id, serviceName, before, after, at };
    const whyShorter = requireReasonToShorten(caller, change, settings.retention_reason);
    await requireSecondMailbox(trx, id, settings);
    await saveReferralSettings(trx, id, after, at);
    // Open referrals get an owner, who asks what becomes of the person.
    if (before.accepts !== after.accepts) await addJobs(trx, 'update-prompts', [{}]);
    await removeOrBringBackPlaces(trx, change);
    const lifted = await takeMarksOff(deps, trx, caller, change, settings);
    await hideIfSensitiveNow(deps, trx, caller, change);
    await setAddresses(deps, trx, caller, {
      receiver: { serviceId: id },
      name: serviceName,
      organizationId: organization?.id ?? organization_id ?? null,
      addresses,
      answerEmail: after.answer_email,
      codeEmail,
      channels: { before: before.channels, after: after.channels },
    });
    const { answered_by, answer_email, answer_telephone, ...audited } = after;
    const reasons = [
      ...lifted.map(({ reason }) => cleanText(settings[reason] ?? '')),
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
function completeSettings(given: GivenSettings, before: ReferralSettings): NewSettings {
  const { name = null, email = null, telephone = null } = given.answered_by ?? {};
  const { sensitive = before.sensitive, retention_years = before.retention_years } = given;
  return {
    accepts: given.accepts,
    channels: given.channels,
    answered_by: name,
    answer_email: email,
    answer_telephone: telephone,
    sensitive,
    location_confidential: given.location_confidential ?? before.location_confidential,
    record_kind: given.record_kind ?? before.record_kind,
    retention_years,
    answer_by_link: given.answer_by_link ?? before.answer_by_link,
    self_referral: !sensitive && (given.self_referral ?? before.self_referral),
  };
}

/**
 * Records that are erased too early are gone for good, and the staff of one service do not decide that alone.
 * @returns the reason, if this change shortens how long records are kept; else undefined
 * @throws Problem `unprocessable` for anybody but an operator, and without a reason
 */
function requireReasonToShorten(
  caller: Caller,
  { before, after }: Change,
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

/** Who reads the mailbox with the link must not get the code as well. @throws Problem `unprocessable` */
async function requireSecondMailbox(
  trx: Trx,
  serviceId: string,
  { code_email, addresses, answered_by }: GivenSettings,
): Promise<void> {
  if (!code_email && !addresses && !answered_by) return;
  const receiver = { serviceId };
  const inUse = await listDeliveryAddresses(trx, receiver);
  const pending = await listPendingAddresses(trx, receiver);
  const stored = (channel: string) => [
    inUse[channel],
    pending.find((each) => each.channel === channel)?.address,
  ];
  const codes = mailboxesOf(code_email === undefined ? stored(codeEmail) : [code_email]);
  const letters = addresses ? [addresses.email] : stored('email');
  const others = new Set(mailboxesOf([...letters, answered_by?.email]));
  if (!codes.some((each) => others.has(each))) return;
  const message =
    'Enter another mailbox than the one that gets the letters or the emails about referrals. An address that differs only after a plus sign is the same mailbox';
  throw new Problem(unprocessable, 'The mailbox for codes cannot be used.', {
    errors: [{ pointer: '/code_email', message }],
  });
}

const mailboxesOf = (addresses: readonly (string | null | undefined)[]) =>
  addresses.flatMap((each) => each ?? []).map(mailboxOf);

/** Removes the places of a service that becomes confidential; of one that is not any more, the next import brings them back. */
async function removeOrBringBackPlaces(trx: Trx, { id, before, after, at }: Change): Promise<void> {
  if (after.location_confidential === before.location_confidential) return;
  if (after.location_confidential) await removePlaces(trx, id, at);
  else await clearSourceHashes(trx, [id, ...(await listOtherServicesOfOrganization(trx, id))]);
}

/** @returns the marks that the service has no more. @throws Problem `forbidden`, `unprocessable` without a reason. */
async function takeMarksOff(
  deps: Platform,
  trx: Trx,
  caller: Caller,
  { id, serviceName, before, after, at }: Change,
  settings: GivenSettings,
): Promise<Mark[]> {
  const lifted = [
    ...(before.sensitive && !after.sensitive ? [marks.sensitive] : []),
    ...(before.location_confidential && !after.location_confidential ? [marks.location_confidential] : []),
  ];
  for (const mark of lifted)
    await takeMarkOff(deps, trx, caller, { mark, id, serviceName, typed: settings[mark.reason], at });
  return lifted;
}

async function hideIfSensitiveNow(
  deps: Platform,
  trx: Trx,
  caller: Caller,
  { id, serviceName, before, after, at }: Change,
): Promise<void> {
  if (before.sensitive || !after.sensitive) return;
  // The exact figures go; the next hourly run stores rounded ones.
  await removeResponsiveness(trx, id);
  await beginSensitive(deps, trx, caller, { id, serviceName, at });
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
  const { [answerEmail]: _, [codeEmail]: code, ...inUse } = all;
  const pending = await listPendingAddresses(db, { serviceId });
  const set = pending.filter(({ channel }) => channel !== answerEmail && channel !== codeEmail);
  const newCode = pending.find(({ channel }) => channel === codeEmail);
  return {
    addresses: { ...inUse, ...Object.fromEntries(set.map(({ channel, address }) => [channel, address])) },
    code_email: newCode?.address ?? code ?? null,
    unconfirmed_addresses: pending.map(({ channel, address, expiresAt }) => ({
      name: channel,
      address,
      in_use: all[channel] ?? null,
      link_ends_at: expiresAt.toISOString(),
    })),
  };
}

/**
 * Makes a new secret that signs messages to the service's webhook; the previous one stops working. @returns the secret,
 * which is shown only once.
 * @throws Problem `not-found`, `forbidden`, `unprocessable`.
 */
export function makeWebhookSecret(
  deps: Platform,
  caller: Caller,
  { id, ipAddress }: { id: string; ipAddress: string },
): Promise<string> {
  const at = deps.clock.now();
  const secret = newSigningSecret();
  return inTransaction(deps.db, async (trx) => {
    await openForEdit(trx, caller, id);
    const sealed = deps.secrets.seal('delivery webhook', id, secret);
    const saved = await saveDeliverySecret(
      trx,
      { serviceId: id },
      { channel: 'webhook', secret: sealed, at },
    );
    if (!saved) throw new Problem(unprocessable, 'Set the address of the service’s own system first.');
    // Without a secret the webhook is not usable (see delivery-mode-store.ts), so this changes what the settings allow.
    await markSettingsChanged(trx, id, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service.webhook_secret_made',
      subject: { type: 'service', id },
    });
    return secret;
  });
}
