import { gunzipSync } from 'node:zlib';
import type { DeliveryReport, OutgoingMessage } from '../../src/delivery/channels/channel.ts';
import type { DeliveryDeps } from '../../src/delivery/channels/deps.ts';
import { createMesh } from '../../src/delivery/channels/mesh/mesh.ts';
import { composeMessage } from '../../src/delivery/send/compose-message.ts';
import { newId } from '../../src/platform/ids/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { createMetrics } from '../../src/platform/metrics/index.ts';
import { createSecrets } from '../../src/platform/secrets/index.ts';
import { manualClock } from '../app/manual-clock.ts';
import { testDatabase } from '../database/test-database.ts';
import { exampleReferral } from './example-referral.ts';
import { anAcknowledgement } from './gp-acknowledgement.ts';
import { meshFixture } from './mesh-fixture.ts';
import { withDelivery } from './test-site.ts';

type Given = Parameters<typeof exampleReferral>[0];

/** A site's channel to the message exchange, with a database, and an exchange that notes what it gets. */
export async function meshChannelFixture() {
  const clock = manualClock();
  const database = await testDatabase();
  const fixture = await meshFixture(clock);
  const { exchange } = fixture.fake;

  function depsOf(given: Record<string, string> = {}): DeliveryDeps {
    const secrets = createSecrets(Buffer.alloc(32));
    const metrics = createMetrics();
    return withDelivery({
      db: database.db,
      clock,
      settings: fixture.settings(given),
      log: createLog('silent'),
      secrets,
      metrics,
    });
  }

  const mesh = (given: Record<string, string> = {}) => createMesh(depsOf(given));

  return {
    ...fixture,
    clock,
    database,
    depsOf,
    mesh,
    /** Before each test: the exchange has heard of nothing. */
    clear(): void {
      exchange.messages.length = 0;
      fixture.fake.seen.length = 0;
    },
    aMessage(given: Given = {}, leg: OutgoingMessage['leg'] = 'gp_practice'): OutgoingMessage {
      const delivery = {
        id: newId(),
        messageId: newId(),
        externalId: null,
        chosenChannel: null,
        leg,
        purpose: 'referral' as const,
        receiverName: leg === 'service' ? 'Sarrowby Community Choir' : 'Mill Lane Surgery',
        receiverCode: leg === 'service' ? 'arts-trust' : 'Z99002',
        createdAt: clock.now(),
        simulated: false,
        news: [],
        files: [],
        contactElsewhere: [],
      };
      return composeMessage(depsOf(), delivery, exampleReferral(given));
    },
    async send(message: OutgoingMessage, channel = mesh()) {
      return channel.send(message, await channel.render(database.db, message));
    },
    sentBodies: () => exchange.messages.map(({ chunks }) => gunzipSync(chunks[0]!).toString('utf8')),
    /** Lets the channel collect its inbox. */
    async collect(handleReport: (report: DeliveryReport) => boolean = () => true): Promise<DeliveryReport[]> {
      const reports: DeliveryReport[] = [];
      await mesh().poll?.(async (report) => {
        reports.push(report);
        return handleReport(report);
      });
      return reports;
    },
    /** What the practice’s system sends back. */
    answer(code: string, about: string): void {
      const headers = { 'mex-to': 'X26ABC1', 'mex-workflowid': 'GPCONNECT_SEND_DOCUMENT_ACK' };
      exchange.send(fixture.practice, headers, anAcknowledgement(about, code));
    },
    async close(): Promise<void> {
      await fixture.close();
      await database.close();
    },
  };
}
