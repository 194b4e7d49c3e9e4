import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { testsOfAnyChannel } from '../../../test/delivery/channel-suite.ts';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { aMessage as messageOf } from '../../../test/delivery/messages.ts';
import { capturedMessages } from '../../../test/delivery/stored.ts';
import { inboxOf, testPlatform } from '../../../test/delivery/test-site.ts';
import { createAccount } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { channelNames } from '../../library/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { createChannels } from '../create-channels.ts';
import { drawLetter } from '../letter/draw/draw-letter.ts';
import { loadTypesetting } from '../letter/draw/paper.ts';
import { findCapturedFile, listCapturedFileNames } from '../test-site/outbox/captured-store.ts';
import { createCapturingChannel } from '../test-site/outbox/capturing-channel.ts';
import { CannotDeliver, type Channel, letterFile, type OutgoingMessage } from './channel.ts';
import { createDocumentFolder } from './document.ts';
import { createInbox } from './inbox.ts';

let database: Database;
let deps: Platform;
const clock = manualClock();

beforeAll(async () => {
  database = await testDatabase();
  deps = await freshSite();
  await aProvider('arts-trust');
});
afterAll(() => database.close());

/** Somebody who answers for this organisation's services. */
function aProvider(libraryOrganizationId: string) {
  return createAccount(deps, siteActor, {
    email: `${libraryOrganizationId}@example.org`,
    name: 'Choir office',
    roles: ['provider'],
    organisation: { name: 'Sarrowby Arts Trust', libraryOrganizationId },
    hasApiAccess: false,
    password: 'a long enough password',
  });
}

/** A site with a data directory of its own, on the database of all. */
async function freshSite(): Promise<Platform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'onward-channels-'));
  return testPlatform('test', { db: database.db, clock, dataDir });
}

const aMessage = (...given: [OutgoingMessage['leg'], Parameters<typeof exampleReferral>[0]?]) =>
  messageOf(database, deps, ...given);

/** As the `deliver` job does it. */
async function sendBy(channel: Channel, message: OutgoingMessage) {
  return channel.send(message, await channel.render(database.db, message));
}

describe('the inbox', () => {
  testsOfAnyChannel(async () => {
    const organization_id = newId();
    await aProvider(organization_id);
    const service = { ...exampleReferral().service, organization_id };
    const message = await aMessage('service', { service });
    return {
      db: database.db,
      channel: createInbox(deps),
      message,
      told: () => inboxOf(deps.db, organization_id),
    };
  });

  it('speaks of a letter only where one goes with the message', async () => {
    const message = await aMessage('service');
    expect((await createInbox(deps).render(deps.db, message)).body).not.toContain('letter');
    const { body, files } = await createDocumentFolder(deps).render(deps.db, message);
    expect(body).toContain('attached letter');
    expect(files).toHaveLength(1);
  });

  it('refuses for good what nobody could open', async () => {
    const message = await aMessage('service');
    const inbox = createInbox(deps);
    const sending = sendBy(inbox, { ...message, receiver: { name: 'The Weir House', code: 'weir-house' } });
    await expect(sending).rejects.toThrow('Nobody at The Weir House has an account');
    await expect(sendBy(inbox, { ...message, receiver: { name: 'X', code: null } })).rejects.toThrow(
      CannotDeliver,
    );
  });
});

describe('the folder of letters', () => {
  const files = async (site: Platform) => {
    const folder = join(site.settings.dataDir, 'documents');
    const names = await readdir(folder);
    return Promise.all(names.map(async (name) => ({ name, content: await readFile(join(folder, name)) })));
  };
  testsOfAnyChannel(async () => {
    const site = await freshSite();
    return {
      db: database.db,
      channel: createDocumentFolder(site),
      message: await aMessage('gp_practice'),
      told: () => files(site),
    };
  });

  it('holds the letter, whole, under the message’s number', async () => {
    const site = await freshSite();
    const message = await aMessage('gp_practice');
    await sendBy(createDocumentFolder(site), message);
    expect(await files(site)).toEqual([{ name: `${message.id}.pdf`, content: await message.letter() }]);
  });

  it('finishes what a kill cut short', async () => {
    const site = await freshSite();
    const message = await aMessage('gp_practice');
    const folder = join(site.settings.dataDir, 'documents');
    await mkdir(folder);
    await writeFile(join(folder, `${message.id}.pdf.0192f5c2.part`), '%PDF-1.7 half a');
    await sendBy(createDocumentFolder(site), message);
    expect(await files(site)).toEqual([{ name: `${message.id}.pdf`, content: await message.letter() }]);
  });

  it('keeps the letter whole when two attempts write it at once', async () => {
    const site = await freshSite();
    const message = await aMessage('gp_practice');
    const folder = join(site.settings.dataDir, 'documents');
    await mkdir(folder);
    await using seemedDead = await open(join(folder, `${message.id}.pdf.part`), 'w');
    await seemedDead.write('%PDF-1.7 half a');
    await sendBy(createDocumentFolder(site), message);
    await seemedDead.write('nd now the other half');
    expect(await files(site)).toEqual([{ name: `${message.id}.pdf`, content: await message.letter() }]);
  });

  it('says in plain words why it cannot write, and is tried again', async () => {
    const site = await freshSite();
    await rm(site.settings.dataDir, { recursive: true });
    await writeFile(site.settings.dataDir, 'a file in the place of the directory');
    const folder = createDocumentFolder(site);
    const failure = await sendBy(folder, await aMessage('gp_practice')).catch((error) => error);
    expect(folder.classify(failure)).toEqual({
      kind: 'retry',
      detail: 'The letter could not be written to the folder of letters.',
    });
  });
});

describe('the capturing channel', () => {
  const captured = ({ deliveryId }: OutgoingMessage) => capturedMessages(deps.db, deliveryId);
  testsOfAnyChannel(async () => {
    const message = await aMessage('gp_practice');
    const channel = createCapturingChannel(deps, createDocumentFolder(deps));
    return { db: database.db, channel, message, told: () => captured(message) };
  });

  it('keeps the message as it would have gone, with its letter', async () => {
    const message = await aMessage('gp_practice');
    await sendBy(createCapturingChannel(deps, createDocumentFolder(deps)), message);
    expect(await captured(message)).toMatchObject([
      {
        referral_id: message.referral.id,
        message_id: message.id,
        channel: 'document',
        recipient: 'Mill Lane Surgery',
        subject: message.subject,
        body: message.text({ hasLetter: true }),
        address: `${message.id}.pdf`,
        captured_at: clock.now(),
      },
    ]);
    const id = (await captured(message))[0]!.id;
    expect(await listCapturedFileNames(deps.db, id)).toEqual(['letter.pdf']);
    const file = await findCapturedFile(deps.db, id, 'letter.pdf');
    expect(file).toEqual({ ...letterFile, letter: message.writtenLetter() });
    expect(await drawLetter(await loadTypesetting(), message.writtenLetter())).toEqual(
      await message.letter(),
    );
  });

  it('stands in for any channel: an inbox receives, others send', async () => {
    const message = await aMessage('service');
    expect(await sendBy(createCapturingChannel(deps, createInbox(deps)), message)).toMatchObject({
      status: 'received',
    });
    const letters = createCapturingChannel(deps, createDocumentFolder(deps));
    expect(await sendBy(letters, message)).toMatchObject({ status: 'sent' });
  });
});

describe('the channels of a live site', () => {
  it('are exactly those that services and practices can choose', () => {
    const names = createChannels(deps).outgoing.map(({ name }) => name);
    expect(names.sort()).toEqual([...channelNames].sort());
  });
});
