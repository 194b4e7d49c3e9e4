import { extname } from 'node:path';
import type { Db } from '../../../platform/database/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import {
  type ContactElsewhere,
  carerForPractice,
  hidesOnline,
  overrideFields,
  type Referral,
  withoutInternalFields,
} from '../../../referrals/index.ts';
import { tellsContactAtEnd } from '../../letter/sections.ts';
import {
  CannotDeliver,
  letterFile,
  type OutgoingMessage,
  type RenderedContent,
  type RenderedFile,
} from '../channel.ts';
import { findReceiverAddress } from '../receiver.ts';
import { buildBundle } from './gp-connect/build-bundle.ts';
import { toFhirXml } from './gp-connect/fhir-xml.ts';
import { routingAddress } from './gp-connect/routing-address.ts';

/** The prefix of an address that is an ODS code: the exchange is asked for its mailbox when the message is sent. */
export const odsAddressPrefix = 'ods:';

type MeshSender = { mailbox: string; odsCode: string; workflow: string | undefined };

/** Practices get a GP Connect document if that profile is set; everybody else gets the local workflow. @throws CannotDeliver */
export async function renderForExchange(
  db: Db,
  settings: Settings,
  message: OutgoingMessage,
): Promise<RenderedContent> {
  const sender = senderOf(settings);
  const toPractice = message.leg === 'gp_practice';
  return toPractice && settings.meshPracticeProfile === 'gpconnect-send-document'
    ? renderGpConnectDocument(settings, sender, message)
    : renderLocalWorkflow(db, settings, sender, message);
}

/** A test site shows its messages without being set up for the exchange. */
function senderOf({ mode, meshMailbox, meshOdsCode, meshWorkflow }: Settings): MeshSender {
  if (mode === 'test')
    return {
      mailbox: meshMailbox ?? 'X26TEST',
      odsCode: meshOdsCode ?? 'X26',
      workflow: meshWorkflow ?? 'ONWARD_TEST',
    };
  if (meshMailbox === undefined || meshOdsCode === undefined)
    throw new CannotDeliver('This site has no mailbox at the NHS message exchange.');
  return { mailbox: meshMailbox, odsCode: meshOdsCode, workflow: meshWorkflow };
}

async function renderGpConnectDocument(
  { baseUrl }: Settings,
  { mailbox, odsCode }: MeshSender,
  message: OutgoingMessage,
): Promise<RenderedContent> {
  const address = routingAddress(message.referral.content.patient);
  const letter = { ...letterFile, content: await message.letter() };
  const bundle = buildBundle(message, { mailbox, odsCode, siteUrl: baseUrl }, letter.content);
  const document = {
    name: 'message.xml',
    type: 'application/fhir+xml',
    content: Buffer.from(toFhirXml(bundle)),
  };
  return toRendered(message, { address, workflow: 'GPCONNECT_SEND_DOCUMENT', document, letter });
}

async function renderLocalWorkflow(
  db: Db,
  { baseUrl }: Settings,
  { workflow }: MeshSender,
  message: OutgoingMessage,
): Promise<RenderedContent> {
  if (workflow === undefined)
    throw new CannotDeliver(
      'No workflow of the NHS message exchange is set for letters to services (ONWARD_MESH_WORKFLOW).',
    );
  const address = await addressOf(db, message);
  const letter = { ...letterFile, content: await message.letter() };
  const content = Buffer.from(buildLocalDocument(message, baseUrl, letter.content));
  const document = { name: 'message.json', type: 'application/json', content };
  return toRendered(message, { address, workflow, document, letter });
}

type Parts = { address: string; workflow: string; document: RenderedFile; letter: RenderedFile };

/**
 * Only the document is sent, with the letter inside. The letter is shown beside it for people who read the outbox of a test
 * site. Headers are kept in logs on the way, so they do not name the patient.
 */
function toRendered(
  { id }: OutgoingMessage,
  { address, workflow, document, letter }: Parts,
): RenderedContent {
  const headers = {
    'mex-workflowid': workflow,
    'mex-localid': id,
    'mex-filename': `${id}${extname(document.name)}`,
    'mex-messagetype': 'DATA',
    'mex-version': '1.0',
    'content-type': document.type,
  };
  return { address, headers, body: '', files: [document, letter] };
}

/** The mailbox in the receiver's settings, or the ODS code of a practice, whose mailbox the exchange knows. */
async function addressOf(db: Db, message: OutgoingMessage): Promise<string> {
  const mailbox = await findReceiverAddress(db, message, 'mesh');
  if (mailbox) return mailbox.address;
  const { leg, receiver } = message;
  if (leg === 'gp_practice' && receiver.code !== null) return `${odsAddressPrefix}${receiver.code}`;
  throw new CannotDeliver(`No mailbox of ${receiver.name} at the NHS message exchange is set.`);
}

/**
 * The document of a workflow that sender and receivers agree on: JSON with the letter as PDF. Its field names are the
 * API's. docs/mesh.md describes it for receivers.
 */
export function buildLocalDocument(message: OutgoingMessage, siteUrl: string, letter: Buffer): string {
  const { id, purpose, createdAt, simulated, forAction } = message;
  const [code, display] = message.code ?? [];
  return JSON.stringify({
    format: 'onward-referral',
    version: 1,
    message_id: id,
    purpose,
    created_at: createdAt.toISOString(),
    simulated,
    for_action: forAction,
    snomed_ct: code === undefined ? null : { code, display },
    referral: contentFor(message, siteUrl),
    letter: { content_type: 'application/pdf', content: letter.toString('base64') },
  });
}

function contentFor(message: OutgoingMessage, siteUrl: string) {
  if (message.codesOnly) return codedContent(message);
  // A practice that was named by mistake must not learn the status of the referral, which goes on.
  if (message.purpose === 'removal')
    return { ...codedContent(message), referrer: message.referral.content.referrer };
  return fullContent(message, siteUrl);
}

/** Only who the patient is. It does not show the service, or anything that somebody wrote. */
function codedContent({ referral }: OutgoingMessage) {
  const { reference, content, created_at } = referral;
  return { reference, created_at: created_at.toISOString(), patient: identityOf(content.patient) };
}

/** Only what the practice needs to find the patient’s record. */
function identityOf({
  nhs_number,
  title,
  given_name,
  family_name,
  birth_date,
}: Referral['content']['patient']) {
  return { nhs_number, title, given_name, family_name, birth_date };
}

/** The practice learns who the carer is only if the referrer ticked that, and if the referral is no secret from anybody. */
function withoutUnsharedCarer(content: Referral['content']) {
  const { carer: _carer, ...others } = content.patient;
  return carerForPractice(content) ? content.patient : others;
}

/** The practice may not know the other referral. */
const onlyThatStricter: ContactElsewhere = { id: null, reference: null, contact: null, stricter: true };

/** The same as the letter inside, and no more: see compose-letter.ts. */
function fullContent(message: OutgoingMessage, siteUrl: string) {
  const { leg, purpose, referral } = message;
  const { reference, service, status, status_reason, urgency, created_at, gp_practice, outcome } = referral;
  return {
    reference,
    created_at: created_at.toISOString(),
    urgency,
    status,
    status_reason,
    outcome,
    service: { name: service.name, organization_name: service.organization_name },
    gp_practice,
    ...(purpose === 'referral' ? contentOfReferral(message) : contentAtEnd(message)),
    ...(leg === 'service' ? forServiceAlone(message, siteUrl) : forPracticeAlone(message)),
  };
}

/** What both receivers read of a referral that is open. */
function contentOfReferral({ leg, referral }: OutgoingMessage) {
  const {
    safety_notes: _notes,
    safety_notes_for_practice: _forPractice,
    gp_actions: _gpActions,
    declines_social_prescribing: _declines,
    suggested_service: _suggested,
    risk: _risk,
    risk_acted_on: _riskActedOn,
    fit_override: _fit,
    mismatch_override: _mismatch,
    namesake_override: _namesake,
    contact_override: _contact,
    urgency_override: _urgency,
    death_override: _death,
    ...content
  } = withoutInternalFields(referral.content);
  const patient = leg === 'service' ? content.patient : withoutUnsharedCarer(content);
  return { ...content, consent: consentInLetters(content), patient };
}

/** What both receivers read at the end: enough to know which referral it was. */
function contentAtEnd({ leg, referral }: OutgoingMessage) {
  const { patient, referrer, contact } = referral.content;
  const tellsContact = leg === 'gp_practice' || tellsContactAtEnd(referral);
  return { patient: identityOf(patient), referrer, ...(tellsContact && { contact }) };
}

/** Without who decided and why, which staff wrote down and no letter says. */
function consentInLetters({ consent }: Pick<Referral['content'], 'consent'>) {
  const { said_by: _saidBy, reason: _reason, ...told } = consent;
  return told;
}

function forPracticeAlone({ purpose, referral, gpActions, personSays, contactElsewhere }: OutgoingMessage) {
  const { content } = referral;
  const ended = purpose !== 'referral';
  return {
    ...(ended && { consent: consentInLetters(content) }),
    ...(gpActions?.length && { gp_actions: gpActions.map(presentGpAction) }),
    ...(ended &&
      personSays && {
        person_page: { got_help: personSays.gotHelp, got_help_at: new Date(personSays.at).toISOString() },
      }),
    ...(hidesOnline(content) && { do_not_show_online: true }),
    ...(content.safety_notes_for_practice && { safety_notes: content.safety_notes }),
    ...(tellsContactAtEnd(referral) &&
      contactElsewhere.some(({ stricter }) => stricter) && { contact_elsewhere: [onlyThatStricter] }),
  };
}

function forServiceAlone({ purpose, referral, contactElsewhere, news }: OutgoingMessage, siteUrl: string) {
  const ended = purpose !== 'referral';
  const { content } = referral;
  return {
    ...((!ended || tellsContactAtEnd(referral)) && { contact_elsewhere: contactElsewhere }),
    // For the staff who meet the person and answer.
    href: `${siteUrl}/referrals/${referral.id}`,
    ...(!ended && {
      news: news.map(({ at, by, text }) => ({ at, by, text })),
      safety_notes: content.safety_notes,
      risk: content.risk,
      risk_acted_on: content.risk_acted_on,
      ...Object.fromEntries(overrideFields.map((field) => [field, content[field]])),
    }),
  };
}

function presentGpAction({
  text,
  by_date,
  asked_by,
  patient_told,
}: NonNullable<OutgoingMessage['gpActions']>[number]) {
  return { text, by_date, asked_by, patient_told };
}
