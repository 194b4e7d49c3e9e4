import { createHash } from 'node:crypto';
import type { Referral } from '../../../../referrals/index.ts';
import { clinicalLetter } from '../../../letter/codes.ts';
import type { OutgoingMessage } from '../../channel.ts';
import type { Resource } from './fhir-xml.ts';

/** The mailbox that sends, its organisation, and the site whose identifiers are used. */
export type GpConnectSender = { mailbox: string; odsCode: string; siteUrl: string };

const nhs = 'https://fhir.nhs.uk/STU3';

/**
 * A letter as a GP Connect “Send Document” message, like the example of the specification (send-document-example.xml). All
 * ids are derived from the message's id, so that a repetition has the same bytes and the same `Bundle.identifier`.
 */
export function buildBundle(message: OutgoingMessage, sender: GpConnectSender, letter: Buffer): Resource {
  const { id } = message;
  const document = buildDocument(message, sender, letter);
  const senderId = deriveId(id, 'sender');
  return {
    resourceType: 'Bundle',
    id,
    identifier: { system: `${sender.siteUrl}/identifier/bundle`, value: id },
    type: 'message',
    entry: [
      entry(buildHeader(message, sender, { sender: senderId, document: document.id as string })),
      entry(organizationResource(senderId, { odsCode: sender.odsCode })),
      entry(document),
    ],
  };
}

function buildHeader(
  { id, createdAt, forAction }: OutgoingMessage,
  { mailbox }: GpConnectSender,
  ids: { sender: string; document: string },
): Resource {
  return {
    resourceType: 'MessageHeader',
    // The same as the bundle's, because acknowledgements may name either.
    id,
    extension: [
      {
        url: `${nhs}/StructureDefinition/Extension-ITK-MessageHandling-2`,
        extension: [
          { url: 'BusAckRequested', valueBoolean: true },
          { url: 'InfAckRequested', valueBoolean: true },
          {
            url: 'RecipientType',
            // GP Connect takes either.
            valueCoding: forAction
              ? coding(`${nhs}/CodeSystem/ITK-RecipientType-1`, 'FA', 'For Action')
              : coding(`${nhs}/CodeSystem/ITK-RecipientType-1`, 'FI', 'For Information'),
          },
          {
            url: 'MessageDefinition',
            valueReference: {
              reference: `${nhs}/MessageDefinition/ITK-GPConnectSendDocument-MessageDefinition-1`,
            },
          },
          { url: 'SenderReference', valueString: urn(deriveId(id, 'composition')) },
          { url: 'LocalExtension', valueString: 'None' },
        ],
      },
    ],
    event: coding(`${nhs}/CodeSystem/ITK-MessageEvent-2`, 'ITK007C', 'ITK GP Connect Send Document'),
    sender: reference(ids.sender),
    timestamp: createdAt.toISOString(),
    source: { endpoint: mailbox },
    focus: reference(ids.document),
  };
}

function buildDocument(
  message: OutgoingMessage,
  { siteUrl, odsCode }: GpConnectSender,
  letter: Buffer,
): Resource {
  const { id, referral, createdAt, subject } = message;
  const { patient, referrer } = referral.content;
  const idOf = (part: string) => deriveId(id, part);
  const organization = idOf('organization');
  const practitioner = idOf('practitioner');
  // A letter that brings no new code must not be filed under the code of an earlier one.
  const [code, display] = message.code ?? clinicalLetter;
  const document = idOf('document');
  const subjects = [organization, practitioner, idOf('patient'), idOf('letter')];
  return {
    resourceType: 'Bundle',
    id: document,
    meta: { lastUpdated: createdAt.toISOString() },
    identifier: { system: `${siteUrl}/identifier/bundle`, value: document },
    type: 'document',
    entry: [
      entry({
        resourceType: 'Composition',
        id: idOf('composition'),
        identifier: { system: `${siteUrl}/identifier/composition`, value: idOf('composition') },
        status: 'final',
        type: { coding: [coding('http://snomed.info/sct', code, display)], text: display },
        subject: reference(idOf('patient')),
        date: createdAt.toISOString().slice(0, 10),
        author: [reference(practitioner)],
        title: subject,
        section: [{ entry: subjects.map(reference) }],
      }),
      entry(
        organizationResource(organization, {
          odsCode: referrer.ods_code ?? odsCode,
          name: referrer.organisation ?? undefined,
        }),
      ),
      entry(practitionerResource(practitioner, referrer.name, siteUrl)),
      entry(patientResource(idOf('patient'), patient, siteUrl)),
      entry(
        { resourceType: 'Binary', contentType: 'application/pdf', content: letter.toString('base64') },
        idOf('letter'),
      ),
    ],
  };
}

function coding(system: string, code: string, display: string) {
  return { system, code, display };
}

function urn(id: string): string {
  return `urn:uuid:${id}`;
}

function reference(id: string) {
  return { reference: urn(id) };
}

function entry(resource: Resource, id = resource.id as string) {
  return { fullUrl: urn(id), resource };
}

/** The id of a part of a message: a version 8 UUID (RFC 9562), the same each time. */
function deriveId(messageId: string, part: string): string {
  const bytes = createHash('sha256').update(`${messageId} ${part}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function organizationResource(
  id: string,
  { odsCode, name }: { odsCode: string; name?: string | undefined },
): Resource {
  const identifier = [{ system: 'https://fhir.nhs.uk/Id/ods-organization-code', value: odsCode }];
  return { resourceType: 'Organization', id, identifier, name };
}

function practitionerResource(id: string, name: string, siteUrl: string): Resource {
  return {
    resourceType: 'Practitioner',
    id,
    identifier: [{ system: `${siteUrl}/identifier/staff`, value: id }],
    name: [asHumanName(name)],
  };
}

/** An account has one name. A practitioner must have a family name, so we take the last word. */
function asHumanName(name: string) {
  const words = name.trim().split(/\s+/);
  return { family: words.at(-1)!, given: words.slice(0, -1) };
}

const verification = 'NHSNumberVerificationStatus-1';

/** Enough to find the patient's record. Everything else is in the letter. */
function patientResource(id: string, patient: Referral['content']['patient'], siteUrl: string): Resource {
  return {
    resourceType: 'Patient',
    id,
    identifier: [
      {
        extension: [
          {
            url: `https://fhir.nhs.uk/STU3/StructureDefinition/Extension-CareConnect-GPC-${verification}`,
            valueCodeableConcept: notTraced,
          },
        ],
        system: 'https://fhir.nhs.uk/Id/nhs-number',
        value: patient.nhs_number,
      },
      { system: `${siteUrl}/identifier/patient`, value: id },
    ],
    name: [
      {
        use: 'official',
        family: patient.family_name,
        given: patient.given_name.trim().split(/\s+/),
        prefix: patient.title === undefined ? undefined : [patient.title],
      },
    ],
    gender: patient.gender,
    birthDate: patient.birth_date,
    address: [{ postalCode: patient.address.postcode.toUpperCase() }],
  };
}

/**
 * The site only checks the digits of a number. The exchange itself delivers only when number, birth date and surname belong
 * to one person.
 */
const notTraced = {
  coding: [
    {
      system: `https://fhir.hl7.org.uk/STU3/CodeSystem/CareConnect-${verification}`,
      code: '02',
      display: 'Number present but not traced',
    },
  ],
  text: 'Number present but not traced',
};
