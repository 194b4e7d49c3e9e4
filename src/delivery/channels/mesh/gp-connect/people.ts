import type { Referral } from '../../../../referrals/index.ts';
import type { Resource } from './fhir-xml.ts';

export function organizationResource(
  id: string,
  { odsCode, name }: { odsCode: string; name?: string | undefined },
): Resource {
  const identifier = [{ system: 'https://fhir.nhs.uk/Id/ods-organization-code', value: odsCode }];
  return { resourceType: 'Organization', id, identifier, name };
}

export function practitionerResource(id: string, name: string, siteUrl: string): Resource {
  return {
    resourceType: 'Practitioner',
    id,
    identifier: [{ system: `${siteUrl}/identifier/staff`, value: id }],
    name: [asHumanName(name)],
  };
}

/** An account has its name in one piece; a practitioner must have a family name, which is the last word here. */
function asHumanName(name: string) {
  const words = name.trim().split(/\s+/);
  return { family: words.at(-1)!, given: words.slice(0, -1) };
}

const verification = 'NHSNumberVerificationStatus-1';

/** Enough to find the record by; the rest of what the practice is told is in the letter. */
export function patientResource(
  id: string,
  patient: Referral['content']['patient'],
  siteUrl: string,
): Resource {
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
    name: [{ use: 'official', family: patient.family_name, given: patient.given_name.trim().split(/\s+/) }],
    gender: patient.gender,
    birthDate: patient.birth_date,
    address: [{ postalCode: patient.address.postcode.toUpperCase() }],
  };
}

/**
 * The site checks a number's digits and looks nobody up. That the exchange delivers only where number, birth date and
 * surname are one person's is the exchange's doing, and for it to say.
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
