import { hash } from 'node:crypto';
import { compressIfAccepted, type Reply, type Request } from '../../platform/http/index.ts';

/** JSON text, and when the library last changed it. */
export type DatedContent = { content: string; updatedAt: Date };

export const jsonContentType = 'application/json; charset=utf-8';

/**
 * Sends JSON text, or 304 if the client already has it (RFC 9110, section 13). Leave `updatedAt` out if the answer can
 * change without its date: then only the ETag counts.
 */
export function sendAnswer(request: Request, reply: Reply, content: string, updatedAt?: Date): Reply {
  return sendWithEtag(request, reply, content, etagOf(content), { updatedAt });
}

/** Like {@link sendAnswer}, for callers that keep the ETag with the text, and its compressed form in `compressions`. */
export function sendWithEtag(
  request: Request,
  reply: Reply,
  content: string,
  etag: string,
  {
    updatedAt,
    compressions,
  }: { updatedAt?: Date | undefined; compressions?: { gzip?: Promise<Buffer> } } = {},
): Reply {
  const send = () => reply.type(jsonContentType).send(content);
  // The answer to a POST is not kept, so an ETag would be of no use.
  if (request.method === 'POST') {
    reply.header('cache-control', 'no-store');
    return send();
  }
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (updatedAt) reply.header('last-modified', updatedAt.toUTCString());
  if (isUnchanged(request, etag, updatedAt)) return reply.code(304).send();
  const compressed = compressIfAccepted(request, reply, content, compressions);
  if (!compressed) return send();
  // Compressed bytes differ from the plain ones, so the tag must be weak.
  reply.header('etag', `W/${etag}`).type(jsonContentType);
  compressed.then(
    (bytes) => reply.send(bytes),
    (error) => reply.send(error),
  );
  return reply;
}

/**
 * The ETag of an answer: equal only for equal text. Not by @fastify/etag, because `If-Match` is compared with it before
 * there is an answer.
 */
export function etagOf(content: string): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/** The ETags in an If-Match or If-None-Match header. Proxies that compress answers mark ETags as weak (`W/`). */
export function readEtags(header: string): string[] {
  return header.split(',').map((etag) => etag.trim().replace(/^W\//, ''));
}

function isUnchanged({ headers }: Request, etag: string, updatedAt: Date | undefined): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return readEtags(known).some((each) => each === etag || each === '*');
  const since = Date.parse(headers['if-modified-since'] ?? '');
  // HTTP dates have no milliseconds.
  return updatedAt !== undefined && Math.floor(updatedAt.getTime() / 1000) * 1000 <= since;
}
