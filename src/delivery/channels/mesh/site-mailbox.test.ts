import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteConnectionFailures } from '../../../../test/app/stored.ts';
import { meshChannelFixture } from '../../../../test/delivery/mesh-channel-fixture.ts';
import { deleteMeshMessages } from '../../../../test/delivery/stored.ts';
import { recordConnectionFailure } from '../../../platform/connections/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { fileContent } from '../channel.ts';
import { checkExchange, handshakeWithExchange, readMailbox } from './site-mailbox.ts';

const fixture = await meshChannelFixture();
const { aMessage, collect, database, depsOf, mesh } = fixture;
afterAll(() => fixture.close());
beforeEach(() => fixture.clear());

describe('a site', () => {
  it('greets the exchange, if it is a live one that has a mailbox', async () => {
    await handshakeWithExchange(depsOf());
    await handshakeWithExchange(depsOf({ ONWARD_MODE: 'test' }));
    expect(fixture.fake.seen).toEqual(['handshake 200']);
  });

  it('learns by site check that its mailbox needs an action', async () => {
    const headers = { 'mex-to': 'X26ABC1', 'mex-workflowid': 'ONWARD_REFERRAL' };
    fixture.fake.exchange.send(fixture.practice, headers, Buffer.from('?'));
    await collect();
    expect(await checkExchange(depsOf())).toMatchObject({
      remedy: expect.stringContaining('/operator/deliveries/unmatched'),
    });
    await deleteMeshMessages(database.db);
    expect(await checkExchange(depsOf())).toEqual({
      result: 'the mailbox at the NHS message exchange opens',
    });
    for (const wrong of [{ ONWARD_MESH_MAILBOX: 'X26ABC2' }, { ONWARD_MESH_URL: 'http://localhost:1' }])
      expect(await checkExchange(depsOf(wrong))).toMatchObject({
        remedy: expect.stringContaining('docs/mesh.md'),
      });
    expect(await checkExchange(depsOf({ ONWARD_MESH_URL: '' }))).toEqual({
      result: 'no mailbox at the NHS message exchange',
    });
  });

  it('learns by site check that it was refused a moment ago', async () => {
    const reason = 'The NHS message exchange does not accept this site’s mailbox (403).';
    await inTransaction(depsOf().db, (trx) =>
      recordConnectionFailure(
        trx,
        { connection: 'message-exchange', kind: 'refuses', reason },
        fixture.clock.now(),
      ),
    );
    expect(await checkExchange(depsOf())).toMatchObject({
      result: expect.stringMatching(/opens now; but at \d{4}-.*\(403\)/),
      remedy: expect.stringContaining('tries again every five minutes'),
    });
    expect(await checkExchange(depsOf({ ONWARD_MESH_URL: '' }))).toMatchObject({
      remedy: expect.stringContaining('Set it again'),
    });
    await deleteConnectionFailures(database.db);
  });

  it('does not show its secrets when the mailbox cannot be opened', async () => {
    const failed = await handshakeWithExchange(depsOf({ ONWARD_MESH_MAILBOX: 'X26ABC2' })).catch(
      (error) => error,
    );
    expect(`${failed.stack}`).toContain('403');
    expect(JSON.stringify(failed) + failed.stack).not.toContain('NHSMESH');
  });

  it('does not start without the files that its settings name', () => {
    const pair = { ONWARD_MESH_CERT_FILE: '/nowhere', ONWARD_MESH_KEY_FILE: '/nowhere' };
    expect(readMailbox(fixture.settings())).toMatchObject({ id: 'X26ABC1', password: 'a mailbox password' });
    for (const file of ['PASSWORD_FILE', 'SHARED_KEY_FILE', 'CA_FILE']) {
      const variable = `ONWARD_MESH_${file}`;
      expect(() => readMailbox(fixture.settings({ [variable]: '/nowhere' }))).toThrow(variable);
    }
    expect(() => readMailbox(fixture.settings(pair))).toThrow('ONWARD_MESH_CERT_FILE');
    expect(() => fixture.settings({ ONWARD_MESH_CERT_FILE: '/nowhere' })).toThrow(
      'ONWARD_MESH_KEY_FILE must be set too',
    );
    expect(() => fixture.settings({ ONWARD_MESH_URL: 'http://mesh.example.org' })).toThrow(
      'must be the https address',
    );
  });

  it('shows in test mode what would go, and is set up with nothing', async () => {
    const unset = {
      ONWARD_MODE: 'test',
      ONWARD_MESH_URL: '',
      ONWARD_MESH_MAILBOX: '',
      ONWARD_MESH_ODS_CODE: '',
    };
    const message = aMessage();
    const { address, headers, files } = await mesh(unset).render(database.db, message);
    expect(address).toBe('GPPROVIDER_9990000018_19470309_ZOLKIEWSKA-LLYR');
    expect(headers['mex-workflowid']).toBe('GPCONNECT_SEND_DOCUMENT');
    expect(files.map(({ name }) => name)).toEqual(['message.xml', 'letter.pdf']);
    expect(await fileContent(message, files[1]!)).toEqual(await message.letter());
    await expect(mesh({ ...unset, ONWARD_MODE: 'live' }).render(database.db, aMessage())).rejects.toThrow(
      'has no mailbox',
    );
  });
});
