import type { Platform } from '../../platform/platform.ts';
import type { Channel } from './channel.ts';
import { createDocumentFolder } from './document.ts';
import { createEmail } from './email.ts';
import { createInbox } from './inbox.ts';
import { createMesh } from './mesh/index.ts';
import { createSink } from './sink.ts';
import { createWebhook } from './webhook.ts';

/** Every channel, in this one list; a service or practice names those it wants. */
export type Channels = {
  readonly live: readonly Channel[];
  sinkFor(channel: Channel): Channel;
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
    sinkFor: (channel) => createSink(deps, channel),
  };
}
