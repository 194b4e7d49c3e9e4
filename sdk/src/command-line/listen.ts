import { type Event, EventsGone, signWebhook } from '../index.ts';
import { backOffMs, wait } from '../wait.ts';
import { type Command, print, say, UsageError, untilStopped } from './terminal.ts';

/** As long as the site waits for a webhook. */
const timeoutMs = 10_000;

/**
 * Calls a webhook that the site cannot reach, as the site would: reads the events, signs each one, and sends it until
 * your webhook accepts it.
 */
export const listen: Command = async (onward, _words, { forward, after, types, secret: named }) => {
  if (!forward) throw new UsageError('Say where to: listen --forward http://localhost:3000/told');
  if (!/^https?:\/\//i.test(forward) || !URL.canParse(forward))
    throw new UsageError(
      '--forward must begin with http:// or https://, such as: listen --forward http://localhost:3000/told',
    );
  const given = named || process.env.WEBHOOK_SECRET;
  if (given) await checkSecret(given);
  const secret = given || newSecret();
  const signal = untilStopped();
  try {
    const { site } = await onward.whoAmI({ signal });
    say(
      given
        ? `Events of ${site.name} go to ${forward}, signed with the secret that you gave.`
        : `Events of ${site.name} go to ${forward}, signed with a new secret. Start your server with it:\nWEBHOOK_SECRET=${secret}`,
    );
    const options = {
      after: after ?? (await onward.events.latestId({ signal })),
      ...(types !== undefined && { types: types.split(',') }),
      signal,
      everySeconds: 1,
    };
    for (;;) {
      try {
        for await (const event of onward.events.follow(options))
          await deliver(event, forward, secret, signal);
        return;
      } catch (error) {
        if (!(error instanceof EventsGone)) throw error;
        say(
          'A gap in the events: the site answered that earlier ones are gone. It goes on with the next that happens.',
        );
        options.after = await onward.events.latestId({ signal });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
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

/** Now, and not at the first event. */
async function checkSecret(secret: string): Promise<void> {
  try {
    await signWebhook('', { id: '', secret });
  } catch {
    throw new UsageError('The secret of the webhook is not whole: it is whsec_ and what follows it.');
  }
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
