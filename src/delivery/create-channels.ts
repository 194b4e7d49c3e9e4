import type { Platform } from '../platform/platform.ts';
import type { Channels } from './channels/deps.ts';
import { createDocumentFolder } from './channels/document.ts';
import { createEmail } from './channels/email.ts';
import { createInbox } from './channels/inbox.ts';
import { createMesh } from './channels/mesh/mesh.ts';
import { createWebhook } from './channels/webhook.ts';
import { createCapturingChannel } from './test-site/outbox/capturing-channel.ts';

/** Every channel that a service or practice can choose. */
export function createChannels(deps: Platform): Channels {
  return {
    outgoing: [
      createInbox(deps),
      createEmail(deps),
      createWebhook(deps),
      createMesh(deps),
      createDocumentFolder(deps),
    ],
    capturing: (channel) => createCapturingChannel(deps, channel),
  };
}
