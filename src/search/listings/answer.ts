import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { etagOf, jsonContentType, sendWithEtag } from '../../library/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import type { Reply, Request } from '../../platform/http/index.ts';
import type { LibraryFollower } from '../follow/follow-library.ts';
import type { Criteria, PageRequest } from '../query/criteria.ts';
import { findAll, findResultPage, type Listing, type ListPage } from './listing.ts';

const ndjson = 'application/x-ndjson';
/** Characters of a page that is sent as one text. A longer page is sent in pieces, without an ETag, and is not remembered. */
const maxWholePageLength = 8_000_000;
/** Characters of all remembered pages together. A single page of the maximum length evicts all others. */
const maxRememberedLength = maxWholePageLength;
const maxAddressLength = 300;

/** An answer, and the version of the library, and the day if hours matter, for which it is right. */
type RememberedAnswer = {
  content: string;
  tag: string;
  version: number;
  today: string | undefined;
  /** The compressed answer, made when a client first asks for it. */
  gzip?: Promise<Buffer>;
};

/** The fields of a page besides its services. */
type Extras = { crisisHelp?: object | undefined };

type AnswerDeps = { libraryFollower: LibraryFollower; clock: Clock };

/**
 * Answers requests for lists. Answers are remembered by their address until the library changes, because reading the
 * parameters of a request takes as long as all the rest.
 */
export function createListAnswers({ libraryFollower, clock }: AnswerDeps) {
  const answers = new LRUCache<string, RememberedAnswer>({
    maxSize: maxRememberedLength,
    sizeCalculation: ({ content }, address) => 1000 + address.length + content.length,
  });
  const isCurrent = ({ version, today }: RememberedAnswer) =>
    version === libraryFollower.knownVersion() &&
    (today === undefined || today === localTime(clock.now()).day.date);

  return {
    /** A hook for a list's `preValidation`: answers with the remembered page if there is one. */
    sendRemembered(request: Request, reply: Reply, done: () => void): void {
      const known = prefersLines(request) ? undefined : answers.get(request.url);
      if (known && isCurrent(known))
        sendWithEtag(request, reply, known.content, known.tag, { compressions: known });
      else done();
    },

    /** Answers with a page of a listing, or with all of it line by line. */
    async send(
      request: Request,
      reply: Reply,
      listing: Listing,
      wanted: PageRequest & Partial<Criteria> & Extras & { format: string | undefined },
    ): Promise<Reply> {
      if ((wanted.format ?? (prefersLines(request) && 'ndjson')) === 'ndjson') {
        const lines = Readable.from(linesOf(findAll(libraryFollower, listing, wanted.search)), {
          objectMode: false,
        });
        return reply.type(ndjson).send(lines);
      }
      // Before the page is read: an answer that is newer than its version does no harm.
      const version = await libraryFollower.version();
      const page = await findResultPage(libraryFollower, listing, wanted);
      const texts = pageTexts(page, wanted);
      const content = joinUpTo(maxWholePageLength, texts);
      if (Array.isArray(content)) {
        return reply
          .type(jsonContentType)
          .send(Readable.from(withRest(content, texts), { objectMode: false }));
      }
      const tag = etagOf(content);
      if (isForAnybody(request, wanted)) {
        answers.set(request.url, { content, tag, version, today: wanted.today });
      }
      return sendWithEtag(request, reply, content, tag);
    },
  };
}

/**
 * Whether a page may be cached. A page near one person’s place, or with crisis help, is rarely asked for twice. A
 * page that depends on which accounts exist can change while the library stays the same.
 */
function isForAnybody(
  { method, url }: Request,
  { place, filters, crisisHelp }: Partial<Criteria> & Extras,
): boolean {
  const isOfOnePerson = place !== undefined || crisisHelp !== undefined;
  return (
    method !== 'POST' &&
    !isOfOnePerson &&
    filters?.staffedOrganizationIds === undefined &&
    url.length <= maxAddressLength
  );
}

/** Whether a client prefers lines to JSON (RFC 9110, section 12.5.1). Most calls do not name lines at all. */
function prefersLines({ headers: { accept = '' } }: Request): boolean {
  if (!/ndjson/i.test(accept)) return false;
  const weights = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((each) => [each.split(';')[0]!.trim(), Number(/;\s*q=([\d.]+)/.exec(each)?.[1] ?? 1)]),
  );
  const json = ['application/json', 'application/*', '*/*'].find((type) => weights.has(type));
  return (weights.get(ndjson) ?? 0) > (json === undefined ? 0 : weights.get(json)!);
}

/**
 * HSDS's page as JSON, one item at a time: five hundred locations may share one long service, and would not fit into
 * memory as one text.
 */
function* pageTexts(
  { total, contents, facets }: ListPage,
  { page, perPage, place, crisisHelp }: PageRequest & Partial<Criteria> & Extras,
) {
  const totalPages = Math.ceil(total / perPage);
  const numbers = JSON.stringify({
    total_items: total,
    total_pages: totalPages,
    page_number: page,
    size: contents.length,
    first_page: page === 1,
    last_page: page >= totalPages,
    empty: contents.length === 0,
    place,
    crisis_help: crisisHelp,
    facets,
  });
  yield `${numbers.slice(0, -1)},"contents":[`;
  for (const [index, item] of contents.entries()) yield (index > 0 ? ',' : '') + JSON.stringify(item);
  yield ']}';
}

/** @returns the texts joined to one or, once they are longer than `max`, the list of those taken so far. */
function joinUpTo(max: number, texts: Iterator<string>): string | string[] {
  const pieces: string[] = [];
  let length = 0;
  for (let next = texts.next(); !next.done; next = texts.next()) {
    pieces.push(next.value);
    length += next.value.length;
    if (length > max) return pieces;
  }
  return pieces.join('');
}

async function* withRest(first: readonly string[], rest: Iterable<string>): AsyncGenerator<string> {
  yield* inPieces(first);
  yield* inPieces(rest);
}

async function* linesOf(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const items of batches) yield* inPieces(linesOfBatch(items));
}

function* linesOfBatch(items: readonly object[]): Generator<string> {
  for (const item of items) yield `${JSON.stringify(item)}\n`;
}

/** Short texts are sent together, up to this length. */
const maxPieceLength = 64 * 1024;

async function* inPieces(texts: Iterable<string>): AsyncGenerator<string> {
  let piece: string[] = [];
  let length = 0;
  for (const text of texts) {
    piece.push(text);
    length += text.length;
    if (length < maxPieceLength) continue;
    yield piece.join('');
    [piece, length] = [[], 0];
    // A fast reader would otherwise take everything in one go, while all other requests wait.
    await setImmediate();
  }
  if (length > 0) yield piece.join('');
}
