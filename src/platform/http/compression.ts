import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

// Only answers without a secret and without anything about the people who are referred are compressed. The length of a compressed answer
// tells which parts are alike, so a token or somebody's details could be guessed from many answers that repeat what was asked (BREACH).

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Smaller answers fit into one packet as they are. */
const minLength = 1024;

type Encoding = 'br' | 'gzip';

/** The best encoding of these that the client accepts (RFC 9110, section 12.5.3). */
function acceptedEncoding(
  { headers }: Pick<FastifyRequest, 'headers'>,
  offered: readonly Encoding[],
): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().split(/\s*;\s*q=/))
    .filter(([, weight = '1']) => Number(weight) > 0)
    .map(([name]) => name);
  return offered.find((each) => accepted.includes(each));
}

/** Something public that stays as it is while the process runs, such as a style sheet. */
export type FixedContent = {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  compressed(encoding: Encoding): Promise<Buffer>;
};

/** Each compressed form is made when it is first asked for. */
export function fixedContent(type: string, body: Buffer): FixedContent {
  const forms = new Map<Encoding, Promise<Buffer>>();
  const compress = (encoding: Encoding) =>
    encoding === 'br'
      ? brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } })
      : gzipAsync(body, { level: 9 });
  return {
    type,
    body,
    etag: hash('sha1', body, 'base64url'),
    compressed(encoding) {
      const form = forms.get(encoding) ?? compress(encoding);
      forms.set(encoding, form);
      return form;
    },
  };
}

/**
 * Sends it compressed to a client that accepts that, and 304 to one that has it already. Each form has an ETag of its
 * own.
 */
export async function sendFixed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, etag, compressed }: FixedContent,
): Promise<FastifyReply> {
  const known = request.headers['if-none-match'] ?? '';
  // Fonts are compressed already.
  const isCompressible = !type.startsWith('font/') && body.length >= minLength;
  const encoding = isCompressible ? acceptedEncoding(request, ['br', 'gzip']) : undefined;
  const tag = encoding ? `"${etag}-${encoding}"` : `"${etag}"`;
  reply.header('etag', tag);
  if (isCompressible) reply.header('vary', 'Accept-Encoding');
  if (known.includes(tag)) return reply.code(304).send();
  reply.type(type);
  return encoding
    ? reply.header('content-encoding', encoding).send(await compressed(encoding))
    : reply.send(body);
}

/**
 * Compresses a text for a client that accepts that, and sets the headers. `cache` may already hold the answer.
 * @returns undefined if it is to be sent as it is.
 */
export function compressIfAccepted(
  request: FastifyRequest,
  reply: FastifyReply,
  content: string,
  cache: { gzip?: Promise<Buffer> } | undefined,
): Promise<Buffer> | undefined {
  if (content.length < minLength) return undefined;
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
  if (!acceptedEncoding(request, ['gzip'])) return undefined;
  reply.header('content-encoding', 'gzip');
  const compressed = cache?.gzip ?? gzipAsync(content, { level: 5 });
  if (cache) cache.gzip = compressed;
  return compressed;
}
