import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser, type Element } from '@xmldom/xmldom';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/app/runs.ts';
import { exampleReferral } from '../../../../../test/delivery/example-referral.ts';
import { letterDrawer } from '../../../../../test/delivery/test-site.ts';
import type { LetterFacts } from '../../../model/delivery.ts';
import { composeMessage } from '../../../send/compose-message.ts';
import { CannotDeliver } from '../../channel.ts';
import { readAcknowledgement, reportOf } from './acknowledgement.ts';
import { buildBundle } from './build-bundle.ts';
import { toFhirXml } from './fhir-xml.ts';
import { routingAddress } from './routing-address.ts';

type Given = Parameters<typeof exampleReferral>[0];

const sender = { mailbox: 'X26ABC1', odsCode: 'FQW30', siteUrl: 'https://fhir.provider.example' };
const messageId = '0192f5c2-7d5e-7cc3-98c4-dc0c0c070001';
const letter = Buffer.from('%PDF-1.7 not read here');

function messageOf(given: Given = {}, letterFacts: LetterFacts | null = null) {
  const delivery = {
    id: '0192f5c2-7d5e-7cc3-98c4-dc0c0c070002',
    messageId,
    externalId: null,
    chosenChannel: null,
    leg: 'gp_practice' as const,
    purpose: 'referral' as const,
    receiverName: 'Mill Lane Surgery',
    receiverCode: 'Z99002',
    createdAt: new Date('2026-11-21T09:30:00Z'),
    simulated: false,
    letterFacts,
    news: [],
    files: [],
    contactElsewhere: [],
  };
  const settings = { siteName: 'Sarrowby referrals', baseUrl: sender.siteUrl };
  return composeMessage({ settings, letterDrawer }, delivery, exampleReferral(given));
}

const xmlOf = (given?: Given, letterFacts?: LetterFacts) =>
  toFhirXml(buildBundle(messageOf(given, letterFacts), sender, letter));

function parse(xml: string): Element {
  const onError = (level: string, message: string) => {
    if (level !== 'warning') throw new Error(message);
  };
  return new DOMParser({ onError }).parseFromString(xml, 'application/xml').documentElement!;
}

/** Every path that is there, with what tells the kind of thing: systems, codes, profiles, types. */
function pathsOf(root: Element): Set<string> {
  const paths = new Set<string>();
  const telling = new Set([
    'system',
    'code',
    'display',
    'type',
    'status',
    'use',
    'contentType',
    'valueBoolean',
  ]);
  const walk = (element: Element, above: string) => {
    const url = element.getAttribute('url');
    const path = `${above}/${element.localName}${url === null ? '' : `[${url}]`}`;
    const value = element.getAttribute('value');
    paths.add(telling.has(element.localName!) && value !== null ? `${path}=${value}` : path);
    for (const child of Array.from(element.childNodes))
      if (child.nodeType === 1) walk(child as Element, path);
  };
  walk(root, '');
  return paths;
}

describe('a letter as a GP Connect message', () => {
  it('is built like the published example', () => {
    const example = pathsOf(
      parse(readFileSync(join(import.meta.dirname, 'send-document-example.xml'), 'utf8')),
    );
    const ours = pathsOf(
      parse(xmlOf({ content: { patient: { ...exampleReferral().content.patient, gender: 'male' } } })),
    );
    const document = '/Bundle/entry/resource/Bundle/entry/resource';
    const kind = `${document}/Composition/type`;
    const number = `${document}/Patient/identifier/extension[https://fhir.nhs.uk/STU3/StructureDefinition/Extension-CareConnect-GPC-NHSNumberVerificationStatus-1]/valueCodeableConcept/coding`;
    // What the example has as a sender of its own kind, and this site has not: a pharmacist's number and title.
    const theirs = [
      `${document}/Practitioner/identifier/system=https://fhir.hl7.org.uk/Id/gphc-number`,
      `${document}/Practitioner/name/prefix`,
      `${kind}/coding/code=325871000000103`,
      `${kind}/coding/display=Remote consultation encounter type`,
      `${number}/code=01`,
      `${number}/display=Number present and verified`,
    ];
    const only = (these: Set<string>, others: Set<string>) => [...these].filter((path) => !others.has(path));
    expect(only(example, ours).sort()).toEqual(theirs.sort());
    expect(only(ours, example).sort()).toEqual([
      `${kind}/coding/code=871731000000106`,
      `${kind}/coding/display=Referral to social prescribing service`,
      // This site looks nobody up.
      `${number}/code=02`,
      `${number}/display=Number present but not traced`,
    ]);
  });

  it('has a resource for each reference, and contains the letter', () => {
    const root = parse(xmlOf());
    const values = (name: string) =>
      Array.from(root.getElementsByTagName(name)).map((element) => element.getAttribute('value'));
    const urls = values('fullUrl');
    expect(new Set(urls).size).toBe(urls.length);
    const references = values('reference').filter((each) => each!.startsWith('urn:'));
    expect(references.length).toBeGreaterThan(7);
    for (const each of references) expect(urls).toContain(each);
    expect(Buffer.from(values('content')[0]!, 'base64')).toEqual(letter);
    expect(values('family')).toEqual(['Patel', 'Żółkiewska-Llŷr']);
  });

  it('is the same bytes each time, under the message’s own id', () => {
    expect(xmlOf()).toBe(xmlOf());
    expect(xmlOf()).toContain(
      `<identifier><system value="${sender.siteUrl}/identifier/bundle"/><value value="${messageId}"/>`,
    );
  });

  it('has no free text when the patient agreed only to codes', () => {
    const { consent } = exampleReferral().content;
    const xml = xmlOf({ content: { consent: { ...consent, share_with_gp: 'codes_only' } } });
    for (const words of [
      'lonely',
      'choir',
      'Choir',
      'leaflet',
      'Low mood',
      'dog',
      '01632',
      'Mill Lane',
      'Robin',
    ])
      expect(xml).not.toContain(words);
    expect(xml).toContain('871731000000106');
  });

  it('says “for action” where the practice has something to do', () => {
    const gp_actions = [
      { text: 'Check her blood pressure.', asked_by: 'Jo', asked_with: 'referral' as const },
    ];
    const forAction = xmlOf({ content: { gp_actions } });
    expect(forAction).toContain('<code value="FA"/><display value="For Action"/>');
    const codesOnly = { ...exampleReferral().content.consent, share_with_gp: 'codes_only' as const };
    for (const content of [{}, { gp_actions, consent: codesOnly }])
      expect(xmlOf({ content })).toContain('<code value="FI"/><display value="For Information"/>');
  });

  it('is filed under the referral code once, and then as a letter', () => {
    const codeSentAt = '2026-11-20T09:30:00Z';
    const facts = {
      by: null,
      serviceTelephone: null,
      earlierLetters: [{ at: codeSentAt, purpose: 'referral' as const }],
    };
    const xml = xmlOf({}, { ...facts, codeSentAt, wasEarlierConfirmed: false });
    expect(xml).not.toContain('871731000000106');
    expect(xml).toContain('<code value="823691000000103"/><display value="Clinical letter"/>');
  });

  it('has the title of the patient, if it is known', () => {
    const patient = { ...exampleReferral().content.patient, title: 'Mx' };
    expect(xmlOf({ content: { patient } })).toContain('<prefix value="Mx"/>');
    expect(xmlOf()).not.toContain('<prefix');
  });

  it('is well-formed and complete, whatever people are called', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
    const tricky = fc.constantFrom(
      '<&>"\'',
      ']]>',
      '\u0000\u0008',
      '\uD800',
      '&#x0;',
      'a\tb\nc\rd',
      'a\u0085b\u2028c',
      '😢',
      '\uFFFE',
    );
    const unwritable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
    fc.assert(
      fc.property(fc.oneof(name, tricky), (family_name) => {
        const patient = { ...exampleReferral().content.patient, family_name };
        const root = parse(xmlOf({ content: { patient } }));
        const written = root.getElementsByTagName('family').item(1)!.getAttribute('value');
        expect(written).toBe(family_name.toWellFormed().replaceAll(unwritable, '\uFFFD'));
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('finding the practice', () => {
  const { patient } = exampleReferral().content;
  it.each([
    ['Smith', 'SMITH'],
    ['O’Brien-Jones', "O'BRIEN-JONES"],
    ['Żółkiewska-Llŷr', 'ZOLKIEWSKA-LLYR'],
    ['van der  Berg', 'VAN DER BERG'],
    ['Æther', 'AETHER'],
  ])('%s is looked for as %s', (family_name, surname) => {
    expect(routingAddress({ ...patient, family_name })).toBe(`GPPROVIDER_9990000018_19470309_${surname}`);
  });

  it('is not tried without an NHS number or a usable name', () => {
    const { nhs_number, ...unknown } = patient;
    expect(() => routingAddress(unknown)).toThrow(CannotDeliver);
    expect(() => routingAddress(unknown)).toThrow('Without the patient’s NHS number');
    for (const family_name of ['李', 'Smith\r\nMex-To: X', 'A_B', "'"])
      expect(() => routingAddress({ ...patient, family_name })).toThrow(CannotDeliver);
  });
});

describe('what the practice’s system answers', () => {
  const answer = (code: string, about: string = messageId) => `<?xml version="1.0" encoding="UTF-8"?>
    <f:Bundle xmlns:f="http://hl7.org/fhir"><f:type value="message"/>
      <f:entry><f:resource><f:MessageHeader><f:id value="1"/>
        <f:event><f:system value="https://fhir.nhs.uk/STU3/CodeSystem/ITK-MessageEvent-2"/><f:code value="ITK008M"/></f:event>
        <f:response><f:identifier value="${about}"/><f:code value="ok"/></f:response>
      </f:MessageHeader></f:resource></f:entry>
      <f:entry><f:resource><f:OperationOutcome><f:issue><f:severity value="information"/><f:code value="informational"/>
        <f:details><f:coding><f:system value="https://fhir.nhs.uk/STU3/CodeSystem/ITK-ResponseCodes-1"/>
          <f:code value="${code}"/></f:coding></f:details></f:issue></f:OperationOutcome></f:resource></f:entry></f:Bundle>`;

  it.each([
    ['20013', 'received'],
    ['20007', 'received'],
    ['20008', 'received'],
    ['30001', 'acknowledged'],
    ['30002', 'failed'],
    ['30003', 'failed'],
    ['10009', 'failed'],
    ['20006', 'failed'],
  ])('%s means %s', (code, status) => {
    const read = readAcknowledgement(Buffer.from(answer(code, `urn:uuid:${messageId.toUpperCase()}`)));
    expect(read).toEqual({ about: messageId, code });
    expect(reportOf(read!)).toMatchObject({ about: { messageId }, status });
  });

  it('says in plain words that it was the wrong practice', () => {
    for (const code of ['30002', '30003'])
      expect(reportOf({ about: messageId, code }).detail).toContain('wrong practice');
  });

  it('ignores bodies that are not acknowledgements', () => {
    for (const body of [
      '',
      'hello',
      '<Bundle/>',
      '<a><b></a>',
      '{}',
      answer('').replace('f:code value=""', 'f:code'),
      xmlOf(),
    ])
      expect(readAcknowledgement(Buffer.from(body))).toBeUndefined();
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>`;
    expect(
      readAcknowledgement(
        Buffer.from(`${bomb}<Bundle xmlns="http://hl7.org/fhir">${'&b;'.repeat(1000)}</Bundle>`),
      ),
    ).toBeUndefined();
  });
});
