import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** A client that makes all its calls on one connection, as systems do that keep theirs open. */
export function keptConnection(baseUrl: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async get(path: string, headers: Record<string, string>) {
      const request = get(new URL(path, baseUrl), { agent, headers });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      const body = (await json(answer)) as Record<string, any>;
      return { status: answer.statusCode, body, reused: request.reusedSocket };
    },
    end: () => agent.destroy(),
  };
}
