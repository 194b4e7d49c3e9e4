import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import {
  type FormErrors,
  readUntrimmedFields,
  toFormErrors,
  trimToUndefined,
} from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import { isMailAddress } from '../../../platform/mail/index.ts';
import { withoutUndefined } from '../../../platform/objects.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import { enterMobileNumber, readMobileNumber, sendsTexts } from '../../../platform/texts/index.ts';
import { channelLabels, type DeliveryAddresses, errorsInAddresses } from '../../channels/addresses.ts';
import { codeTelephone } from '../../channels/addresses-store.ts';
import { linkRecipients, listResponsibleEmails } from '../../channels/announce-change.ts';
import { channelChoices, readChannels } from '../../channels/channel-words.ts';
import { findReferralSettings } from '../../channels/settings-store.ts';
import { servicePath } from '../../view/links.ts';
import { listRelatedServicesWithPlaces, type RelatedService } from '../../write/confidential-places-store.ts';
import { isMarkedByWords } from '../../write/mark-sensitive-store.ts';
import { readForEdit } from '../edit-service.ts';
import { enterTelephone, hasPhoneNumber } from '../form/service-form.ts';
import { readReferralSettings, setReferralSettings } from '../state/referral-settings.ts';
import { idParams } from './edit-pages.ts';
import { savedBanner } from './manage-view.ts';

const labels = {
  accepts: 'Does it take referrals through this site?',
  sensitive_reason: 'If you take this mark off, why?',
  location_reason: 'If you take this mark off, why?',
  channels: 'How referrals reach it',
  delivery_email: 'Email address for letters',
  code_email: 'Another email address, for codes',
  code_telephone: 'A mobile number, for codes',
  webhook: 'Address of their own system',
  mesh: 'MESH mailbox',
  record_kind: 'What kind of records are its referrals?',
  retention_years: 'Keep them for another number of years',
  retention_reason: 'Why they are kept for less time than before',
  name: 'Who answers',
  email: 'Their email address',
  telephone: 'Their telephone number',
};

const textFieldNames = [
  'accepts',
  'sensitive',
  'sensitive_reason',
  'location_confidential',
  'location_reason',
  'record_kind',
  'retention_years',
  'retention_reason',
  'answer_by_link',
  'code_email',
  'code_telephone',
  'self_referral',
  'delivery_email',
  'webhook',
  'mesh',
  'name',
  'email',
  'telephone',
] as const;
type Form = Record<(typeof textFieldNames)[number], string> & {
  channels: readonly string[];
  /** Addresses that are not confirmed yet; only on the page as it is first opened. */
  unconfirmed?: readonly object[];
  done?: string | undefined;
};

type EnteredForm = Form & { channels: ReturnType<typeof readChannels> };
type StoredSettings = Awaited<ReturnType<typeof readReferralSettings>>;

/** How referrals reach a service, and who answers them. */
export function referralSettingsPage(app: App, deps: WebPlatform): void {
  const path = '/services/:id/referral-settings';
  // These settings decide where letters about people go, so the person must have signed in recently.
  const config = page(signedIn('operator', 'provider'), { needsRecentSignIn: true });
  const querystring = Type.Object({ done: savedBanner.query });
  app.get(path, { config, schema: { params: idParams, querystring } }, async (request, reply) => {
    const { id } = request.params;
    const caller = requireCaller(request);
    const { done } = request.query;
    const savedNow = done === 'settings-unconfirmed';
    const settings = await readReferralSettings(deps, caller, id);
    const service = await readForEdit(deps.db, caller, id);
    const organizationId = service.organization?.id ?? service.organization_id ?? null;
    const responsible = await listResponsibleEmails(deps.db, { organizationId });
    return sendForm(deps, request, reply, id, {
      ...formOf(settings),
      done: savedBanner.words(done),
      unconfirmed: settings.unconfirmed_addresses.map((each) => ({
        ...each,
        is_text: each.name === codeTelephone,
        emailed_to: savedNow && linkRecipients({ ...each, channel: each.name }, responsible, caller),
        label: channelLabels[each.name] ?? each.name,
        link_ended: Date.parse(each.link_ends_at) <= deps.clock.now().getTime(),
      })),
    });
  });

  app.post(path, { config, schema: { params: idParams, body: anyForm } }, async (request, reply) => {
    const { id } = request.params;
    const form = {
      ...readUntrimmedFields(request.body, textFieldNames),
      channels: readChannels(request.body),
    };
    const errors = settingsFormErrors(form, deps.settings.mode);
    if (errors.length > 0) {
      const problem = toFormErrors(labels, new Problem(unprocessable, undefined, { errors }));
      return sendForm(deps, request, reply.code(unprocessable.status), id, form, problem);
    }
    try {
      const { unconfirmed_addresses } = await setReferralSettings(deps, requireCaller(request), {
        id,
        ipAddress: request.ip,
        settings: settingsOf(form, deps.settings),
      });
      // The page of the settings says who got each link. Without one, people go on with the service.
      return reply.redirect(
        unconfirmed_addresses.length > 0
          ? savedBanner.path(`${servicePath(id)}/referral-settings`, 'settings-unconfirmed')
          : savedBanner.path(servicePath(id), 'settings'),
        303,
      );
    } catch (refusal) {
      if (!(refusal instanceof Problem) || refusal.kind !== unprocessable || !refusal.errors) throw refusal;
      return sendForm(
        deps,
        request,
        reply.code(unprocessable.status),
        id,
        form,
        toFormErrors(labels, refusal),
      );
    }
  });
}

/** The stored settings as the form shows them. */
function formOf({ addresses, answered_by, ...settings }: StoredSettings): Form {
  return {
    accepts: settings.accepts ? 'yes' : 'no',
    sensitive: settings.sensitive ? 'yes' : '',
    sensitive_reason: '',
    location_confidential: settings.location_confidential ? 'yes' : '',
    location_reason: '',
    record_kind: settings.record_kind,
    retention_years: String(settings.retention_years ?? ''),
    retention_reason: '',
    answer_by_link: settings.answer_by_link ? 'yes' : '',
    code_email: settings.code_email ?? '',
    code_telephone: settings.code_telephone ?? '',
    self_referral: settings.self_referral ? 'yes' : '',
    channels: settings.channels,
    delivery_email: addresses.email ?? '',
    webhook: addresses.webhook ?? '',
    mesh: addresses.mesh ?? '',
    name: answered_by.name ?? '',
    email: answered_by.email ?? '',
    telephone: answered_by.telephone ?? '',
  };
}

/** The settings that somebody entered in the form. */
function settingsOf(form: EnteredForm, { selfReferral }: Settings) {
  return {
    accepts: form.accepts === 'yes',
    sensitive: form.sensitive === 'yes',
    sensitive_reason: form.sensitive_reason,
    location_confidential: form.location_confidential === 'yes',
    location_reason: form.location_reason,
    ...retentionOf(form),
    answer_by_link: form.answer_by_link === 'yes',
    code_email: trimToUndefined(form.code_email) ?? null,
    code_telephone: trimToUndefined(form.code_telephone) ?? null,
    ...(selfReferral && { self_referral: form.self_referral === 'yes' }),
    channels: form.channels,
    addresses: addressesOf(form),
    answered_by: {
      name: trimToUndefined(form.name) ?? null,
      email: trimToUndefined(form.email) ?? null,
      telephone: trimToUndefined(form.telephone) ?? null,
    },
  };
}

/** A form without the question leaves the kind as it is. */
function retentionOf({ record_kind, retention_years, retention_reason }: Form) {
  if (record_kind === '') return {};
  const years = trimToUndefined(retention_years);
  return {
    record_kind: record_kind === 'mental_health' ? ('mental_health' as const) : ('general' as const),
    retention_years: years === undefined ? null : Number(years),
    retention_reason,
  };
}

function addressesOf(form: Form): DeliveryAddresses {
  const { delivery_email: email, webhook, mesh } = form;
  const addresses = {
    email: trimToUndefined(email),
    webhook: trimToUndefined(webhook),
    mesh: trimToUndefined(mesh),
  };
  return (withoutUndefined(addresses) ?? {}) as DeliveryAddresses;
}

/** A channel without its address would be skipped silently, or leave the service with no channel at all. */
const missingAddress = {
  email: 'Enter the email address that letters go to, or choose another channel',
  webhook: 'Enter the address of their own system, or choose another channel',
  mesh: 'Enter their MESH mailbox, or choose another channel',
};

/** An address alone sends nothing: the page would say “saved”, and no letter would ever arrive. */
const unusedAddress = {
  email: 'Choose email as a channel above, or empty this field: nothing is sent to this address now',
  webhook: 'Choose their own system as a channel above, or empty this field: nothing is sent there now',
  mesh: 'Choose MESH as a channel above, or empty this field: nothing is sent there now',
};

const fieldName = (which: keyof DeliveryAddresses) => (which === 'email' ? 'delivery_email' : which);

function settingsFormErrors(form: Form, mode: Settings['mode']): FieldError[] {
  const { accepts, channels, name, email, telephone, code_email: codeEmail, code_telephone: mobile } = form;
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ pointer: `/${field}`, message });
  if (accepts !== 'yes' && accepts !== 'no') refuse('accepts', 'Say whether it takes referrals');
  if (form.retention_years.trim() !== '' && !/^([1-9]\d?|100)$/.test(form.retention_years.trim()))
    refuse('retention_years', 'Enter a number of years from 1 to 100, or leave it empty');
  if (channels.length === 0) refuse('channels', 'Choose at least one channel');
  const addresses = addressesOf(form);
  for (const { name: which, message } of errorsInAddresses(addresses, mode))
    refuse(fieldName(which), message);
  // Without a mailbox for letters, they go to the people who answer.
  const usable = { ...addresses, email: addresses.email ?? trimToUndefined(email) };
  for (const which of Object.keys(missingAddress) as (keyof typeof missingAddress)[])
    if (channels.includes(which) && usable[which] === undefined)
      refuse(fieldName(which), missingAddress[which]);
  for (const which of Object.keys(unusedAddress) as (keyof typeof unusedAddress)[])
    if (channels.length > 0 && !channels.includes(which) && addresses[which] !== undefined)
      refuse(fieldName(which), unusedAddress[which]);
  if (name.length > 200) refuse('name', 'must have at most 200 characters');
  if (email.trim() !== '' && !isMailAddress(email.trim())) {
    refuse('email', 'Enter an email address such as name@example.org');
  }
  if (codeEmail.trim() !== '' && !isMailAddress(codeEmail.trim()))
    refuse('code_email', 'Enter an email address such as name@example.org');
  if (mobile.trim() !== '' && readMobileNumber(mobile) === undefined)
    refuse('code_telephone', enterMobileNumber);
  if (telephone.trim() !== '' && !hasPhoneNumber(telephone)) refuse('telephone', enterTelephone);
  if (telephone.length > 50) refuse('telephone', 'must have at most 50 characters');
  return errors;
}

function withPath(related: RelatedService) {
  return { name: related.name, path: servicePath(related.id) };
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  id: string,
  values: Form,
  errors?: FormErrors,
): Promise<Reply> {
  const service = await readForEdit(deps.db, requireCaller(request), id);
  const related = await listRelatedServicesWithPlaces(deps.db, id);
  const marks = await findReferralSettings(deps.db, id);
  return deps.pages.send(request, reply, 'library/edit/templates/referral-settings.njk', {
    service,
    isOperator: requireCaller(request).roles.includes('operator'),
    isSensitive: marks.sensitive,
    isMarkedByWords: await isMarkedByWords(deps.db, id),
    isConfidential: marks.location_confidential,
    entryPath: servicePath(id),
    values,
    errors,
    unconfirmed: values.unconfirmed,
    done: values.done,
    labels,
    channelChoices,
    // A number that a site without texts has can still be removed.
    sendsTexts: sendsTexts(deps.settings),
    asksForMobile: sendsTexts(deps.settings) || values.code_telephone !== '',
    mayReferThemselves: deps.settings.selfReferral,
    showing: related.filter(({ showsPlace, isConfidential }) => showsPlace && !isConfidential).map(withPath),
  });
}
