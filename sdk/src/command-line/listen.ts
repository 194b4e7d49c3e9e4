import { type Event, signWebhook } from '../index.ts';
import { backOffMs, wait } from '../wait.ts';
import { type Command, print, say, UsageError, untilStopped } from './terminal.ts';

/** As long as the site waits for a webhook. */
const timeoutMs = 10_000;

/**
 * Calls a webhook that the site cannot reach, as the site would: reads the events, signs each one, and sends it until
 * your webhook accepts it.
 */
export const listen: Command = async (onward, _words, { forward, after, types }) => {
  if (!forward || !URL.canParse(forward))
    throw new UsageError('Say where to: listen --forward http://localhost:3000/told');
  const signal = untilStopped();
  const secret = process.env.WEBHOOK_SECRET ?? newSecret();
  const { site } = await onward.whoAmI({ signal });
  say(`Events of ${site.name} go to ${new URL(forward).origin}, signed with ${secret}`);
  const options = {
    after: after ?? (await onward.events.latestId({ signal })),
    ...(types !== undefined && { types: types.split(',') }),
    signal,
    everySeconds: 1,
  };
  for await (const event of onward.events.follow(options)) await deliver(event, forward, secret, signal);
};

async function deliver(event: Event, url: string, secret: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const result = await post(event, url, secret);
    print(`${event.created_at}  ${event.type}  ${event.resource.id}  ${result}`);
    if (/^2/.test(result)) return;
    await wait(backOffMs(attempt), signal).catch(() => undefined);
  }
  say(`Stopped. This event has not arrived: ${event.id}`);
}

/** @returns the status, or why there is none */
async function post(event: Event, url: string, secret: string): Promise<string> {
  const body = JSON.stringify(event);
  const headers = {
    'content-type': 'application/json',
    ...(await signWebhook(body, { id: event.id, secret })),
  };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return String((await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })).status);
  } catch (error) {
    const { cause, name } = error as { cause?: { code?: string }; name: string };
    return cause?.code ?? name;
  }
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
