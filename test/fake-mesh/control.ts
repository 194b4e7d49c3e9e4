import type { Answer } from './answers.ts';
import type { Exchange } from './exchange.ts';
import { isFaultCode } from './faults.ts';
import type { FakeRequest } from './handle-request.ts';
import { type createMisbehaviours, isMisbehaviour } from './misbehaviour.ts';

type Controlled = { exchange: Exchange; misbehaviours: ReturnType<typeof createMisbehaviours> };

/**
 * Routes for testers of a client; no real exchange has them. `GET /fake/messages` shows what it has, `POST
 * /fake/misbehaviours {operation, do}` makes it go wrong once, and `POST /fake/reports {message_id, code}` makes a
 * delivery fail.
 */
export function answerControl(
  { exchange, misbehaviours }: Controlled,
  request: FakeRequest,
): Answer | undefined {
  const { method, url, body } = request;
  if (!url.pathname.startsWith('/fake/')) return undefined;
  const what = `${method} ${url.pathname.slice('/fake/'.length)}`;
  if (what === 'GET messages') return { status: 200, body: exchange.messages.map(shown) };
  const given = readJson(body);
  if (what === 'POST misbehaviours' && isMisbehaviour(given)) {
    misbehaviours.add(given);
    return { status: 204 };
  }
  const { message_id, code } = (given ?? {}) as Record<string, unknown>;
  const message = exchange.find(String(message_id));
  if (what === 'POST reports' && message && isFaultCode(code)) {
    exchange.report(message, code);
    return { status: 204 };
  }
  return { status: 400, body: { detail: 'See test/fake-mesh/control.ts' } };
}

function shown(message: Exchange['messages'][number]): object {
  const { id, type, from, recipient, status, fault, headers, chunks } = message;
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  return { id, type, from: from?.id, to: recipient?.id, status, fault, headers, bytes };
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
