import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/database.ts';
import { anAcknowledgement } from '../../../../test/delivery/an-acknowledgement.ts';
import { testsOfAnyChannel } from '../../../../test/delivery/channel-suite.ts';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { meshStage } from '../../../../test/delivery/mesh-stage.ts';
import { setServiceAddress } from '../../../../test/delivery/messages.ts';
import { storeReferral, tellOfChange } from '../../../../test/delivery/test-site.ts';
import { manualClock } from '../../../../test/manual-clock.ts';
import type { Database } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import { composeMessage } from '../../compose-message.ts';
import { deliver } from '../../deliver.ts';
import { pollChannels } from '../../poll-channels.ts';
import { listDeliveriesOf } from '../../store.ts';
import type { Message, News } from '../channel.ts';
import { contentOf } from '../letter-file.ts';
import { checkExchange } from './check-exchange.ts';
import { greetExchange } from './greet-exchange.ts';
import { readMailbox } from './mailbox.ts';
import { createMesh } from './mesh.ts';

type Given = Parameters<typeof exampleReferral>[0];

const clock = manualClock();
let database: Database;
let stage: Awaited<ReturnType<typeof meshStage>>;

beforeAll(async () => {
  database = await testDatabase();
  stage = await meshStage(clock);
});
afterAll(async () => {
  await stage.close();
  await database.close();
});
beforeEach(() => {
  stage.fake.exchange.messages.length = 0;
  stage.fake.seen.length = 0;
});

function depsOf(given: Record<string, string> = {}): Platform {
  const secrets = createSecrets(Buffer.alloc(32));
  return { db: database.db, clock, settings: stage.settings(given), log: createLog('silent'), secrets };
}

const local = { ONWARD_MESH_PRACTICE_PROFILE: 'local-workflow' };
const mesh = (given: Record<string, string> = {}) => createMesh(depsOf(given));

function aMessage(given: Given = {}, leg: Message['leg'] = 'gp_practice'): Message {
  const delivery = {
    id: newId(),
    messageId: newId(),
    trackedAs: null,
    chosenChannel: null,
    leg,
    purpose: 'referral' as const,
    recipientName: leg === 'service' ? 'Sarrowby Community Choir' : 'Mill Lane Surgery',
    recipientCode: leg === 'service' ? 'arts-trust' : 'Z99002',
    createdAt: clock.now(),
    simulated: false,
  };
  return composeMessage(stage.settings(), delivery, exampleReferral(given));
}

async function send(message: Message, channel = mesh()) {
  return channel.send(message, await channel.render(message));
}

const sentBodies = () =>
  stage.fake.exchange.messages.map(({ chunks }) => gunzipSync(chunks[0]!).toString('utf8'));

/** Lets the channel collect its inbox. */
async function collect(tell: (news: News) => boolean = () => true): Promise<News[]> {
  const told: News[] = [];
  await mesh().poll!(async (news) => {
    told.push(news);
    return tell(news);
  });
  return told;
}

/** What the practice's system sends back. */
function answer(code: string, about: string): void {
  const { exchange } = stage.fake;
  const headers = { 'mex-to': 'X26ABC1', 'mex-workflowid': 'GPCONNECT_SEND_DOCUMENT_ACK' };
  exchange.send(stage.practice, headers, anAcknowledgement(about, code));
}

describe('as GP Connect messages', () => {
  testsOfAnyChannel(async () => {
    // The exchange takes a message twice, which to a receiver is one: alike to the last byte, under the same identifier.
    const told = async () => [...new Set(sentBodies())];
    return { channel: mesh(), message: aMessage(), told, routedByPatient: true };
  });

  test('a letter goes to the practice where the patient is registered, named by the message alone', async () => {
    const message = aMessage();
    const sent = await send(message);
    const [arrived] = stage.fake.exchange.messages;
    expect(arrived!.recipient!.id).toBe('Z99002GP');
    expect(sent).toEqual({
      status: 'sent',
      detail: 'The NHS message exchange has it.',
      trackedAs: arrived!.id,
    });
    const { 'mex-to': _to, ...outside } = arrived!.headers;
    expect(outside).toMatchObject({
      'mex-workflowid': 'GPCONNECT_SEND_DOCUMENT',
      'mex-localid': message.id,
      'content-type': 'application/fhir+xml',
    });
    for (const detail of ['9990000018', 'lkiewska', 'ZOLK', '1947'])
      expect(JSON.stringify(outside)).not.toContain(detail);
    expect(sentBodies()[0]).toContain((await message.letter()).toString('base64'));
  });

  test('there is no way without an NHS number', async () => {
    const { nhs_number, ...patient } = exampleReferral().content.patient;
    await expect(mesh().render(aMessage({ content: { patient } }))).rejects.toThrow(
      'Without the patient’s NHS number',
    );
  });

  test('what the practice’s system answers is told, then acknowledged, and never told again', async () => {
    const message = aMessage();
    await send(message);
    for (const code of ['20013', '30001']) answer(code, message.id);
    const about = { messageId: message.id };
    expect(await collect()).toEqual([
      { about, status: 'received', detail: 'The practice’s system has the letter.' },
      { about, status: 'acknowledged', detail: 'The practice has the letter and knows the patient.' },
    ]);
    expect(stage.fake.exchange.inboxOf(stage.site)).toEqual([]);
    expect(await collect()).toEqual([]);
  });

  test('who is not found by number, name and birth date is a failure in plain words', async () => {
    const patient = { ...exampleReferral().content.patient, birth_date: '1947-03-10' };
    const { trackedAs } = await send(aMessage({ content: { patient } }));
    expect(await collect()).toEqual([
      {
        about: { trackedAs },
        status: 'failed',
        detail:
          'The NHS message exchange did not deliver it. The NHS number belongs to somebody with another name or date of birth.',
      },
    ]);
    const { rows } = await database.pool.query(
      "select headers::text from mesh_messages where type = 'REPORT'",
    );
    expect(rows.map(({ headers }) => headers).join()).toContain('EPL-154');
    expect(rows.map(({ headers }) => headers).join()).not.toContain('9990000018');
  });
});

describe('by a workflow of their own', () => {
  test('a practice’s mailbox is asked for by its ODS code', async () => {
    const message = aMessage();
    await send(message, mesh(local));
    const [arrived] = stage.fake.exchange.messages;
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

  test('codes alone go where the patient agreed to codes alone', async () => {
    const { consent } = exampleReferral().content;
    const message = aMessage({ content: { consent: { ...consent, share_with_gp: 'codes_only' } } });
    await send(message, mesh(local));
    const { letter, ...rest } = JSON.parse(sentBodies()[0]!);
    expect(rest.referral.reasons).toEqual([{ code: '105412007' }]);
    for (const words of ['lonely', 'Choir', 'choir', 'Low mood', 'leaflet', 'Asha', '01632', 'Mill Lane'])
      expect(JSON.stringify(rest)).not.toContain(words);
  });

  test('a service is reached at the mailbox that is set for it, and at none otherwise', async () => {
    const service_id = newId();
    await expect(mesh().render(aMessage({ service_id }, 'service'))).rejects.toThrow(
      'No mailbox of Sarrowby Community Choir at the NHS message exchange is set.',
    );
    await setServiceAddress(database, { serviceId: service_id, channel: 'mesh', address: 'CHOIR01' });
    await send(aMessage({ service_id }, 'service'));
    const [arrived] = stage.fake.exchange.messages;
    expect([arrived!.recipient!.id, arrived!.headers['mex-workflowid']]).toEqual([
      'CHOIR01',
      'ONWARD_REFERRAL',
    ]);
    expect(JSON.parse(sentBodies()[0]!).referral).toMatchObject({
      safety_notes: 'There is a large dog at the house.',
      href: expect.stringContaining('https://referrals.example.org/referrals/'),
    });
  });

  test('a practice that the exchange knows no mailbox of is a reason to try another way', async () => {
    const message = { ...aMessage(), recipient: { name: 'Elsewhere', code: 'Z97777' } };
    await expect(send(message, mesh(local))).rejects.toThrow('knows no mailbox of Z97777');
  });
});

describe('when nothing is heard', () => {
  test('the exchange is asked what became of a message, by the message’s own id', async () => {
    const channel = mesh();
    const message = aMessage();
    stage.fake.misbehave({ operation: 'send', do: 'cut-before' });
    const lost = await send(message, channel).catch(channel.classify);
    expect([lost, await channel.track!(message)]).toMatchObject([{ kind: 'uncertain' }, undefined]);

    stage.fake.misbehave({ operation: 'send', do: 'cut-off' });
    const doubtful = await send(message, channel).catch(channel.classify);
    expect([doubtful, await channel.track!(message)]).toMatchObject([
      { kind: 'uncertain' },
      { status: 'sent' },
    ]);
    expect(stage.fake.exchange.messages).toHaveLength(1);
    const [arrived] = stage.fake.exchange.messages;
    arrived!.status = 'acknowledged';
    expect(await channel.track!(message)).toMatchObject({ status: 'received' });
    // Never delivered: it is to be sent again.
    arrived!.status = 'uploading';
    expect(await channel.track!(message)).toBeUndefined();
    stage.fake.exchange.report(arrived!, '12');
    expect(await channel.track!(message).catch(channel.classify)).toEqual({
      kind: 'permanent',
      detail: 'The NHS message exchange did not deliver it. It knows no mailbox of that name.',
    });
    await collect();
  });

  test('a message sent again is the same one', async () => {
    const message = aMessage();
    await send(message);
    clock.moveOn(60_000);
    await send(message);
    const [first, second] = stage.fake.exchange.messages;
    expect(second!.chunks).toEqual(first!.chunks);
    expect(second!.headers['mex-localid']).toBe(first!.headers['mex-localid']);
  });

  test('a report that nobody collected a message says that', async () => {
    await send(aMessage());
    const [message] = stage.fake.exchange.messages;
    stage.fake.exchange.report(message!, '14');
    expect(await collect()).toMatchObject([
      {
        about: { trackedAs: message!.id },
        status: 'expired',
        detail: expect.stringContaining('within 5 days'),
      },
    ]);
  });
});

describe('from a referral to the practice’s answer', () => {
  beforeAll(() =>
    database.pool.query(
      `insert into practices (ods_code, name, channels, imported_at, updated_at)
       values ('Z99002', 'Mill Lane Surgery', '{mesh,document}', now(), now())`,
    ),
  );

  async function aCopy(content: NonNullable<Given>['content'] = {}) {
    const deps = depsOf();
    const referral = await storeReferral(database.pool, { simulated: false, content });
    await tellOfChange(deps, referral, null);
    const leg = async () =>
      (await listDeliveriesOf(deps.db, referral.id)).find((each) => each.leg === 'gp_practice')!;
    const { id } = await leg();
    const { rows } = await database.pool.query('select message_id from deliveries where id = $1', [id]);
    return { deps, leg, messageId: rows[0].message_id, send: () => deliver(deps, { delivery_id: id }) };
  }

  test('each answer moves the delivery on, and the wrong practice makes it go another way', async () => {
    const { deps, leg, messageId, send: go } = await aCopy();
    await go();
    expect(await leg()).toMatchObject({ channel: 'mesh', status: 'sent' });
    answer('20013', messageId);
    await pollChannels(deps);
    expect(await leg()).toMatchObject({ channel: 'mesh', status: 'received' });
    answer('30002', messageId);
    await pollChannels(deps);
    await go();
    const { channel, status, attempts } = await leg();
    expect([channel, status]).toEqual(['document', 'sent']);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['sent', 'received', 'failed', 'sent']);
    expect(attempts[2]!.detail).toContain('it went to the wrong practice');
  });

  test('when no answer came to a message that went out, it is asked for, and not sent twice', async () => {
    const { deps, leg, messageId, send: go } = await aCopy();
    stage.fake.misbehave({ operation: 'send', do: 'cut-off' });
    await go();
    expect(await leg()).toMatchObject({ channel: 'mesh', status: 'uncertain' });
    await go();
    expect(await leg()).toMatchObject({ channel: 'mesh', status: 'sent' });
    expect(stage.fake.seen).toEqual(['send 202', 'track 200']);
    answer('30001', messageId);
    await pollChannels(deps);
    expect(await leg()).toMatchObject({ status: 'acknowledged' });
  });

  test('a report that the patient is not found makes it go another way', async () => {
    const patient = { ...exampleReferral().content.patient, family_name: 'Somebody' };
    const { deps, leg, send: go } = await aCopy({ patient });
    await go();
    await pollChannels(deps);
    await go();
    expect(await leg()).toMatchObject({ channel: 'document', status: 'sent' });
  });
});

describe('the inbox', () => {
  const notUnderstood = async () =>
    (await database.pool.query('select taken_at from mesh_messages where not understood')).rows;

  test('loses nothing when telling fails, when acknowledging fails, or when a message is not understood', async () => {
    const message = aMessage();
    answer('20013', message.id);
    answer('30001', message.id);
    const [, second] = stage.fake.exchange.messages;
    let away = true;
    const first = await collect(({ status }) => {
      if (away && status === 'received') throw new Error('the database is away');
      return true;
    });
    // The one behind it is told all the same.
    expect(first.map(({ status }) => status)).toEqual(['received', 'acknowledged']);
    expect(stage.fake.exchange.inboxOf(stage.site)).toHaveLength(1);
    expect(second!.status).toBe('acknowledged');

    away = false;
    stage.fake.misbehave({ operation: 'acknowledge', do: 'cut-before' });
    expect((await collect()).map(({ status }) => status)).toEqual(['received']);
    expect(stage.fake.exchange.inboxOf(stage.site)).toHaveLength(1);
    expect(await collect()).toEqual([]);
    expect(stage.fake.exchange.inboxOf(stage.site)).toEqual([]);

    stage.fake.exchange.send(
      stage.practice,
      { 'mex-to': 'X26ABC1', 'mex-workflowid': 'ONWARD_REFERRAL' },
      Buffer.from('?'),
    );
    expect(await collect()).toEqual([]);
    expect(stage.fake.exchange.inboxOf(stage.site)).toEqual([]);
    expect(await notUnderstood()).toEqual([{ taken_at: clock.now() }]);
  });
});

describe('a site', () => {
  test('greets the exchange, if it is a live one that has a mailbox', async () => {
    await greetExchange(depsOf());
    await greetExchange(depsOf({ ONWARD_MODE: 'test' }));
    expect(stage.fake.seen).toEqual(['handshake 200']);
  });

  test('finds out by `site check` that its mailbox does not open, or has what nobody understands', async () => {
    expect(await checkExchange(depsOf())).toMatchObject({ wrong: expect.stringContaining('mesh_messages') });
    await database.pool.query('delete from mesh_messages');
    expect(await checkExchange(depsOf())).toEqual({ found: 'the mailbox at the NHS message exchange opens' });
    for (const wrong of [{ ONWARD_MESH_MAILBOX: 'X26ABC2' }, { ONWARD_MESH_URL: 'http://localhost:1' }])
      expect(await checkExchange(depsOf(wrong))).toMatchObject({
        wrong: expect.stringContaining('docs/mesh.md'),
      });
    expect(await checkExchange(depsOf({ ONWARD_MESH_URL: '' }))).toEqual({
      found: 'no mailbox at the NHS message exchange',
    });
  });

  test('does not show its secrets when the mailbox cannot be opened', async () => {
    const failed = await greetExchange(depsOf({ ONWARD_MESH_MAILBOX: 'X26ABC2' })).catch((error) => error);
    expect(`${failed.stack}`).toContain('403');
    expect(JSON.stringify(failed) + failed.stack).not.toContain('NHSMESH');
  });

  test('does not start without the files that its settings name', () => {
    const pair = { ONWARD_MESH_CERT_FILE: '/nowhere', ONWARD_MESH_KEY_FILE: '/nowhere' };
    expect(readMailbox(stage.settings())).toMatchObject({ id: 'X26ABC1', password: 'a mailbox password' });
    for (const file of ['PASSWORD_FILE', 'SHARED_KEY_FILE', 'CA_FILE']) {
      const variable = `ONWARD_MESH_${file}`;
      expect(() => readMailbox(stage.settings({ [variable]: '/nowhere' }))).toThrow(variable);
    }
    expect(() => readMailbox(stage.settings(pair))).toThrow('ONWARD_MESH_CERT_FILE');
    expect(() => stage.settings({ ONWARD_MESH_CERT_FILE: '/nowhere' })).toThrow(
      'ONWARD_MESH_KEY_FILE must be set too',
    );
    expect(() => stage.settings({ ONWARD_MESH_URL: 'http://mesh.example.org' })).toThrow(
      'must be the https address',
    );
  });

  test('in test mode shows what would go, and is set up with nothing', async () => {
    const unset = {
      ONWARD_MODE: 'test',
      ONWARD_MESH_URL: '',
      ONWARD_MESH_MAILBOX: '',
      ONWARD_MESH_ODS_CODE: '',
    };
    const message = aMessage();
    const { address, headers, files } = await mesh(unset).render(message);
    expect(address).toBe('GPPROVIDER_9990000018_19470309_ZOLKIEWSKA-LLYR');
    expect(headers['mex-workflowid']).toBe('GPCONNECT_SEND_DOCUMENT');
    expect(files.map(({ name }) => name)).toEqual(['message.xml', 'letter.pdf']);
    expect(await contentOf(message, files[1]!)).toEqual(await message.letter());
    await expect(mesh({ ...unset, ONWARD_MODE: 'live' }).render(aMessage())).rejects.toThrow(
      'has no mailbox',
    );
  });
});
