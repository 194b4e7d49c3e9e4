import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { testsOfAnyChannel } from '../../../../test/delivery/channel-suite.ts';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { meshChannelFixture } from '../../../../test/delivery/mesh-channel-fixture.ts';
import { setServiceAddress } from '../../../../test/delivery/receivers.ts';
import { storedMeshMessages } from '../../../../test/delivery/stored.ts';
import { newId } from '../../../platform/ids/index.ts';

const fixture = await meshChannelFixture();
const { aMessage, answer, collect, database, mesh, send, sentBodies } = fixture;
afterAll(() => fixture.close());
beforeEach(() => fixture.clear());

const local = { ONWARD_MESH_PRACTICE_PROFILE: 'local-workflow' };

describe('as GP Connect messages', () => {
  testsOfAnyChannel(async () => {
    // The exchange takes a message twice, which to a receiver is one: alike to the last byte, under the same identifier.
    const told = async () => [...new Set(sentBodies())];
    return { db: database.db, channel: mesh(), message: aMessage(), told, routedByPatient: true };
  });

  it('a letter goes to the practice of the patient', async () => {
    const message = aMessage();
    const sent = await send(message);
    const [arrived] = fixture.fake.exchange.messages;
    expect(arrived!.recipient!.id).toBe('Z99002GP');
    expect(sent).toEqual({
      status: 'sent',
      detail: 'The NHS message exchange has it.',
      externalId: arrived!.id,
    });
    const { 'mex-to': _to, ...outside } = arrived!.headers;
    expect(outside).toMatchObject({
      'mex-workflowid': 'GPCONNECT_SEND_DOCUMENT',
      'mex-localid': message.id,
      'content-type': 'application/fhir+xml',
    });
    for (const detail of ['9990000018', 'lkiewska', 'ZOLK', '1947-03'])
      expect(JSON.stringify(outside)).not.toContain(detail);
    expect(sentBodies()[0]).toContain((await message.letter()).toString('base64'));
  });

  it('a letter is refused without an NHS number', async () => {
    const { nhs_number, ...patient } = exampleReferral().content.patient;
    await expect(mesh().render(database.db, aMessage({ content: { patient } }))).rejects.toThrow(
      'Without the patient’s NHS number',
    );
  });

  it('an answer of the practice is handled once, then acknowledged', async () => {
    const message = aMessage();
    await send(message);
    for (const code of ['20013', '30001']) answer(code, message.id);
    const about = { messageId: message.id };
    expect(await collect()).toEqual([
      { about, status: 'received', detail: 'The practice’s system has the letter.' },
      { about, status: 'acknowledged', detail: 'The practice has the letter and knows the patient.' },
    ]);
    expect(fixture.fake.exchange.inboxOf(fixture.site)).toEqual([]);
    expect(await collect()).toEqual([]);
  });

  it('what the practice’s system says besides is not kept', async () => {
    const message = aMessage();
    await send(message);
    answer('30002', message.id);
    await collect();
    const stored = await storedMeshMessages(database.db, 'DATA');
    expect(stored.length).toBeGreaterThan(0);
    for (const { matched, body } of stored) expect([matched, body.length]).toEqual([true, 0]);
  });

  it('a patient whom the exchange cannot find is a plain failure', async () => {
    const patient = { ...exampleReferral().content.patient, birth_date: '1947-03-10' };
    const { externalId } = await send(aMessage({ content: { patient } }));
    expect(await collect()).toEqual([
      {
        about: { externalId },
        status: 'failed',
        detail:
          'The NHS message exchange did not deliver it. The NHS number belongs to somebody with another name or date of birth.',
        cause: 'nhs-number-not-recognised',
      },
    ]);
    const reports = JSON.stringify(await storedMeshMessages(database.db, 'REPORT'));
    expect(reports).toContain('EPL-154');
    expect(reports).not.toContain('9990000018');
  });
});

describe('by a workflow of their own', () => {
  it('a practice’s mailbox is asked for by its ODS code', async () => {
    const message = aMessage();
    await send(message, mesh(local));
    const [arrived] = fixture.fake.exchange.messages;
    expect(arrived!.recipient!.id).toBe('Z99002GP');
    const document = JSON.parse(sentBodies()[0]!);
    expect(document).toMatchObject({
      format: 'onward-referral',
      message_id: message.id,
      snomed_ct: { code: '871731000000106' },
      referral: { reference: '7K3QF-XW29D', patient: { nhs_number: '9990000018' } },
    });
    expect(Buffer.from(document.letter.content, 'base64')).toEqual(await message.letter());
    expect(sentBodies()[0]).not.toContain('large dog');
  });

  it('codes alone go where the patient agreed to codes alone', async () => {
    const { consent } = exampleReferral().content;
    const message = aMessage({ content: { consent: { ...consent, share_with_gp: 'codes_only' } } });
    await send(message, mesh(local));
    const { letter, ...rest } = JSON.parse(sentBodies()[0]!);
    expect(JSON.stringify(rest).match(/"\d{6,18}"/g)).toEqual(['"871731000000106"', '"9990000018"']);
    for (const words of ['lonely', 'Choir', 'choir', 'Low mood', 'leaflet', 'Asha', '01632', 'Mill Lane'])
      expect(JSON.stringify(rest)).not.toContain(words);
  });

  it('a service is reached only at the mailbox in its settings', async () => {
    const service_id = newId();
    await expect(mesh().render(database.db, aMessage({ service_id }, 'service'))).rejects.toThrow(
      'No mailbox of Sarrowby Community Choir at the NHS message exchange is set.',
    );
    await setServiceAddress(database.db, { serviceId: service_id, channel: 'mesh', address: 'CHOIR01' });
    await send(aMessage({ service_id }, 'service'));
    const [arrived] = fixture.fake.exchange.messages;
    expect([arrived!.recipient!.id, arrived!.headers['mex-workflowid']]).toEqual([
      'CHOIR01',
      'ONWARD_REFERRAL',
    ]);
    expect(JSON.parse(sentBodies()[0]!).referral).toMatchObject({
      safety_notes: 'There is a large dog at the house.',
      href: expect.stringContaining('https://referrals.example.org/referrals/'),
    });
  });

  it('a practice without a mailbox is reached another way', async () => {
    const message = { ...aMessage(), receiver: { name: 'Elsewhere', code: 'Z97777' } };
    await expect(send(message, mesh(local))).rejects.toThrow('knows no mailbox of Z97777');
  });
});
