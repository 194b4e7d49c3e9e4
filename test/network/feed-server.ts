import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FeedAnswer = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => void;

/** A server on this machine that answers as the test says, and keeps what it was asked for. */
export async function feedServer() {
  const asked: string[] = [];
  let answer: FeedAnswer = (_request, response) => response.end();
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response, new URL(request.url ?? '', 'http://feed').searchParams);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`,
    answers(given: FeedAnswer) {
      answer = given;
      asked.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const sendJson = (response: ServerResponse, value: unknown) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
