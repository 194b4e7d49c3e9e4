import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a call: the work is done, but its answer is lost or cut off; or the call never arrives, or never ends. */
export type Fate = 'lose-answer' | 'cut-answer' | 'refuse' | 'hang' | AnswerInstead;
/** Something on the way answers in the site's place. */
type AnswerInstead = { status: number; headers?: Record<string, string>; body?: string };

type Sent = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

export type UnreliableLine = {
  readonly url: string;
  /** Every call that was sent into it, in order. */
  readonly sent: Sent[];
  /** What becomes of the next calls to a path, one after another; the others pass. */
  next(path: RegExp, ...fates: Fate[]): void;
  /** Forgets what was sent, and what was to come. */
  reset(): void;
  close(): void;
};

/** A real HTTP line to a site, which loses what a test says. */
export async function unreliableLine(siteUrl: string): Promise<UnreliableLine> {
  const sent: Sent[] = [];
  const plans: { path: RegExp; fate: Fate }[] = [];

  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const { method = '', url: path = '', headers } = incoming;
    sent.push({ method, path, headers, body: body.toString() });
    const index = plans.findIndex((each) => each.path.test(`${method} ${path}`));
    const fate = index === -1 ? undefined : plans.splice(index, 1)[0]!.fate;
    if (fate === 'refuse') return void incoming.socket.destroy();
    if (fate === 'hang') return;
    if (typeof fate === 'object') return void outgoing.writeHead(fate.status, fate.headers).end(fate.body);
    const answer = await passOn(siteUrl, { method, path, headers, body });
    deliver(answer, outgoing, fate);
  });

  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    next: (path, ...fates) => void plans.push(...fates.map((fate) => ({ path, fate }))),
    reset() {
      sent.length = 0;
      plans.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Passed = Omit<Sent, 'body'> & { body: Buffer };
type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer };

async function passOn(siteUrl: string, { method, path, headers, body }: Passed): Promise<Answer> {
  const onward = request(new URL(path, siteUrl), { method, headers }).end(body);
  const [incoming] = (await once(onward, 'response')) as [IncomingMessage];
  const chunks = await incoming.toArray();
  return { status: incoming.statusCode!, headers: incoming.headers, body: Buffer.concat(chunks) };
}

function deliver({ status, headers, body }: Answer, outgoing: ServerResponse, fate: Fate | undefined): void {
  if (fate === 'lose-answer') return void outgoing.socket?.destroy();
  const { 'transfer-encoding': _, ...others } = headers;
  outgoing.writeHead(status, { ...others, 'content-length': body.length });
  if (fate !== 'cut-answer') return void outgoing.end(body);
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.destroy());
}
