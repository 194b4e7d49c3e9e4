import type { Platform } from '../platform/platform.ts';
import type { Channel } from './channels/channel.ts';
import { createDocumentFolder } from './channels/document.ts';
import { createEmail } from './channels/email.ts';
import { createInbox } from './channels/inbox.ts';
import { createMesh } from './channels/mesh/mesh.ts';
import { createWebhook } from './channels/webhook.ts';
import { createCapturingChannel } from './outbox/capturing-channel.ts';

/** Every channel, in this one list; a service or practice names those it wants. */
export type Channels = {
  readonly live: readonly Channel[];
  capturing(channel: Channel): Channel;
};

export function createChannels(deps: Platform): Channels {
  return {
    live: [
      createInbox(deps),
      createEmail(deps),
      createWebhook(deps),
      createMesh(deps),
      createDocumentFolder(deps),
    ],
    capturing: (channel) => createCapturingChannel(deps, channel),
  };
}
