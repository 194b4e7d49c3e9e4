import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { App } from './create-app.ts';

/** Server-sent events (the HTML standard, section 9.2) to one browser. */
export type EventStream = {
  /** Sends an event whose data is this object as JSON. A browser that no longer reads is cut off. */
  send(data: object): void;
  /** Sends a line that browsers ignore, so that no proxy ends a silent connection. */
  keepAlive(): void;
  end(): void;
  /** Called once the stream has ended, whichever side ended it. */
  onEnd(listener: () => void): void;
};

type Limits = { maxPerOwner: number; max: number };

/** How long a browser waits before it connects again. */
const reconnectMs = 5000;
/** Far more than a working browser ever leaves unread. */
const maxUnreadBytes = 16 * 1024;

/** Keeps the open streams of this app, at most `max`. They end when the app closes; browsers then connect to another process. */
export function eventStreams(app: App, { maxPerOwner, max }: Limits) {
  const open = new Map<PassThrough, string>();
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const stream of open.keys()) stream.end();
  });
  return {
    /**
     * Answers a request with a stream that stays open.
     * @param owner whose streams are counted together
     * @returns undefined if there are too many; it is then answered with 204, after which a browser does not ask again
     */
    open(reply: FastifyReply, owner: string): EventStream | undefined {
      const ofOwner = [...open.values()].filter((each) => each === owner).length;
      if (isClosing || open.size >= max || ofOwner >= maxPerOwner) {
        reply.code(204).send();
        return undefined;
      }
      const stream = new PassThrough();
      open.set(stream, owner);
      stream.once('close', () => open.delete(stream));
      const write = (text: string) => {
        if (stream.destroyed || stream.writableEnded) return;
        if (stream.writableLength > maxUnreadBytes) stream.destroy();
        else stream.write(text);
      };
      write(`retry: ${reconnectMs}\n\n`);
      // Nginx would keep the events until its buffer is full.
      reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream);
      return {
        send: (data) => write(`data: ${JSON.stringify(data)}\n\n`),
        keepAlive: () => write(':\n\n'),
        end: () => stream.end(),
        onEnd: (listener) => void stream.once('close', listener),
      };
    },
  };
}
