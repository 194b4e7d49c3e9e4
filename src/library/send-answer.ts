import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Db } from '../platform/database/index.ts';
import type { Reply, Request } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import { askedBefore, noteAsked } from './asked-before.ts';
import type { Place, Which } from './search/filters.ts';
import { inPieces } from './search/in-pieces.ts';
import type { Wanted } from './search/list-parameters.ts';
import { pageAnswer, pageTexts } from './search/page-answer.ts';
import { lettersOf, mostLetters } from './search/remembered-store.ts';
import {
  type Answer,
  type Listing,
  pageKey,
  type SearchedPage,
  searchLines,
  searchPage,
} from './search/search-listing.ts';

/** JSON text, and when the library last changed it. */
export type Dated = { content: string; updatedAt: Date };

const json = 'application/json; charset=utf-8';
const ndjson = 'application/x-ndjson';

/**
 * For a list's `preValidation`: one that was asked for before in the same words is answered at once, where it is in memory
 * and current, without its parameters being read again. To read them took as long as all the rest of such an answer.
 */
export function answeredBefore({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
  return (request: Request, reply: Reply, done: () => void): void => {
    const page = prefersLines(request) ? undefined : askedBefore(db, clock, request);
    const answer = page && answerAgain(page);
    if (answer) sendTagged(request, reply, answer.content, answer.tag);
    else done();
  };
}

/** Answers with a page of a listing, or with all of it line by line. */
export async function sendListing(
  db: Db,
  request: Request,
  reply: Reply,
  listing: Listing,
  wanted: Wanted & Partial<Which> & { format: string | undefined },
): Promise<Reply> {
  if ((wanted.format ?? (prefersLines(request) && 'ndjson')) === 'ndjson') {
    const lines = Readable.from(searchLines(db, listing, wanted.search), { objectMode: false });
    return reply.type(ndjson).send(lines);
  }
  const page = await searchPage(db, listing, wanted);
  // What is too long to be kept is not made one text either, of which a tag could be made.
  if (lettersOf(page) > mostLetters) {
    const texts = pageTexts(page, wanted.page, wanted.perPage, wanted.place);
    return reply.type(json).send(Readable.from(inPieces(texts), { objectMode: false }));
  }
  const { content, tag } = answerOf(page, wanted);
  if (listing.isCommon) noteAsked(db, request, pageKey(listing, wanted), wanted);
  return sendTagged(request, reply, content, tag);
}

/** Whether a client would rather have lines than JSON (RFC 9110, section 12.5.1). Most calls do not name them at all. */
function prefersLines({ headers: { accept = '' } }: Request): boolean {
  if (!/ndjson/i.test(accept)) return false;
  const weights = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((each) => [each.split(';')[0]!.trim(), Number(/;\s*q=([\d.]+)/.exec(each)?.[1] ?? 1)]),
  );
  const lines = weights.get(ndjson) ?? 0;
  return lines > (weights.get('application/json') ?? 0);
}

type Asked = Wanted & { place?: Place | undefined };

function answerOf(found: SearchedPage, { page, perPage, place }: Asked): Answer {
  const known = answerAgain(found);
  if (known) return known;
  const content = pageAnswer(found, page, perPage, place);
  found.answer = { content, tag: tagOf(content) };
  return found.answer;
}

/**
 * From the second time on a buffer, which is sent as it is. No sooner: buffers lie outside the heap, and sixty megabytes of
 * those, some seconds' answers, make V8 collect everything, which kept the core from the answers for a seventh of a second.
 */
function answerAgain({ answer }: SearchedPage): Answer | undefined {
  if (typeof answer?.content === 'string') answer.content = Buffer.from(answer.content);
  return answer;
}

/**
 * Answers with JSON text, or with 304 where the client has that text already (RFC 9110, section 13). `updatedAt` is left
 * out where an answer can change without its date: the tag alone is right then.
 */
export function sendAnswer(request: Request, reply: Reply, content: string, updatedAt?: Date): Reply {
  return sendTagged(request, reply, content, tagOf(content), updatedAt);
}

function sendTagged(
  request: Request,
  reply: Reply,
  content: string | Buffer,
  tag: string,
  updatedAt?: Date,
): Reply {
  // What a POST is answered is nothing that a later one could be spared.
  if (request.method === 'POST')
    return reply
      .header('cache-control', 'no-store')
      .type(json)
      .send(content as never);
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (updatedAt) reply.header('last-modified', updatedAt.toUTCString());
  if (hasAlready(request, tag, updatedAt)) return reply.code(304).send();
  return reply.type(json).send(content as never);
}

/** The ETag of an answer: the same for the same text alone. */
export function tagOf(content: string | Buffer): string {
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
