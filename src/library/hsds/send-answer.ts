import { hash } from 'node:crypto';
import type { Reply, Request } from '../../platform/http/index.ts';

/** JSON text, and when the library last changed it. */
export type DatedContent = { content: string; updatedAt: Date };

export const jsonContentType = 'application/json; charset=utf-8';

/**
 * Answers with JSON text, or with 304 where the client has that text already (RFC 9110, section 13). `updatedAt` is left
 * out where an answer can change without its date: the tag alone is right then.
 */
export function sendAnswer(request: Request, reply: Reply, content: string, updatedAt?: Date): Reply {
  return sendWithEtag(request, reply, content, etagOf(content), updatedAt);
}

/** The same with the tag of the text. */
export function sendWithEtag(
  request: Request,
  reply: Reply,
  content: string,
  tag: string,
  updatedAt?: Date,
): Reply {
  // What a POST is answered is nothing that a later one could be spared.
  if (request.method === 'POST')
    return reply
      .header('cache-control', 'no-store')
      .type(jsonContentType)
      .send(content as never);
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (updatedAt) reply.header('last-modified', updatedAt.toUTCString());
  if (hasAlready(request, tag, updatedAt)) return reply.code(304).send();
  return reply.type(jsonContentType).send(content as never);
}

/**
 * The ETag of an answer, equal only for equal texts. Not by @fastify/etag, since `If-Match` is compared with it before there is
 * an answer.
 */
export function etagOf(content: string): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

function hasAlready({ headers }: Request, tag: string, updatedAt: Date | undefined): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    const known = tags.split(',').map((each) => each.trim().replace(/^W\//, ''));
    return known.includes(tag) || known.includes('*');
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  // The header has whole seconds.
  return updatedAt !== undefined && Math.floor(updatedAt.getTime() / 1000) * 1000 <= since;
}
