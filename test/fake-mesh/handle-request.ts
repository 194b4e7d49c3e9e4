import { type Answer, accepted, chunk, mailboxesFound, page, tracked, versionOf } from './answers.ts';
import type { createTokenCheck } from './check-token.ts';
import type { Exchange, ExchangeMessage, Headers, Mailbox } from './exchange.ts';
import { Refused } from './faults.ts';
import type { Operation } from './misbehaviour.ts';

export type FakeRequest = { method: string; url: URL; headers: Headers; body: Buffer };
type TokenCheck = ReturnType<typeof createTokenCheck>;

type Route = { method: string; path: RegExp; operation: Operation; handle: Handler };
type Handler = (given: Given) => Answer;
type Given = { exchange: Exchange; owner: Mailbox; request: FakeRequest; parts: readonly string[] };

/** What is done for the owner of a mailbox; what is in brackets in a path is handed on. */
const routes: readonly Route[] = [
  { method: 'POST', path: /^$/, operation: 'handshake', handle: handshake },
  { method: 'POST', path: /^outbox$/, operation: 'send', handle: send },
  { method: 'POST', path: /^outbox\/([^/]+)\/(\d+)$/, operation: 'send-chunk', handle: sendChunk },
  { method: 'GET', path: /^outbox\/tracking(?:\/([^/]+))?$/, operation: 'track', handle: track },
  { method: 'GET', path: /^inbox$/, operation: 'list', handle: list },
  { method: 'GET', path: /^count$/, operation: 'list', handle: count },
  { method: 'GET', path: /^inbox\/([^/]+)(?:\/(\d+))?$/, operation: 'download', handle: download },
  { method: 'HEAD', path: /^inbox\/([^/]+)$/, operation: 'download', handle: download },
  {
    method: 'PUT',
    path: /^inbox\/([^/]+)\/status\/acknowledged$/,
    operation: 'acknowledge',
    handle: acknowledge,
  },
];

const lookup = /^\/messageexchange\/(?:endpointlookup\/([^/]+)|workflowsearch)\/([^/]+)$/;

/** What a request asks for, so that it is known before it is done. */
export function operationOf({ method, url }: FakeRequest): Operation | undefined {
  if (lookup.test(url.pathname)) return 'lookup';
  const [, , path = ''] = partsOf(url);
  return routes.find((route) => route.method === method && route.path.test(path))?.operation;
}

export function handleRequest(exchange: Exchange, checkToken: TokenCheck, request: FakeRequest): Answer {
  const { method, url, headers } = request;
  const [, odsCode, wanted] = lookup.exec(url.pathname) ?? [];
  if (wanted !== undefined) return find(exchange, request, odsCode, decodeURIComponent(wanted));
  const [, id = '', path = ''] = partsOf(url);
  const owner = exchange.mailbox(id);
  if (!owner) throw new Refused(403, 'Forbidden');
  checkToken(headers.authorization, owner);
  const route = routes.find((each) => each.method === method && each.path.test(path));
  if (!route) throw new Refused(404, 'Not Found');
  checkLengths(headers);
  const parts = route.path
    .exec(path)!
    .slice(1)
    .map((part) => decodeURIComponent(part ?? ''));
  return route.handle({ exchange, owner, request, parts });
}

function partsOf(url: URL): readonly string[] {
  return /^\/messageexchange\/([^/]+)(?:\/(.*))?$/.exec(url.pathname) ?? [];
}

const maxLength = {
  'mex-to': 100,
  'mex-workflowid': 300,
  'mex-chunk-range': 20,
  'mex-subject': 500,
  'mex-localid': 300,
  'mex-filename': 300,
  'mex-content-checksum': 100,
};

function checkLengths(headers: Headers): void {
  for (const [name, max] of Object.entries(maxLength))
    if ((headers[name]?.length ?? 0) > max) throw new Refused(400, `${name}: longer than ${max}`);
}

function handshake({ owner, request }: Given): Answer {
  for (const name of ['mex-clientversion', 'mex-osname', 'mex-osversion'])
    if (!request.headers[name]) throw new Refused(400, `${name}: field required`);
  return { status: 200, body: { mailbox_id: owner.id } };
}

function send({ exchange, owner, request: { headers, body } }: Given): Answer {
  return accepted(exchange.send(owner, headers, body), versionOf(headers));
}

function sendChunk({ exchange, owner, request: { headers, body }, parts }: Given): Answer {
  const [id = '', number] = parts;
  return accepted(exchange.addChunk(owner, id, Number(number), headers, body), versionOf(headers));
}

/** By the exchange's own id, or by the one that the sender chose, which need not be unique. */
function track({ exchange, owner, request: { url, headers }, parts: [localId] }: Given): Answer {
  const id = url.searchParams.get('messageID');
  const isMeant = (message: ExchangeMessage) =>
    localId ? message.headers['mex-localid'] === localId : message.id === id;
  const [found, ...others] = exchange.sentBy(owner).filter(isMeant);
  if (!localId && !id) throw new Refused(400, 'messageID: field required');
  if (!found) throw new Refused(404, 'Message does not exist');
  if (others.length > 0) throw new Refused(300, 'Multiple Choices');
  return tracked(found, versionOf(headers));
}

function list({ exchange, owner, request: { url, headers } }: Given): Answer {
  const max = Number(url.searchParams.get('max_results') ?? 500);
  if (!(max >= 10 && max <= 5000)) throw new Refused(400, 'max_results: from 10 to 5000');
  return page(exchange, owner, url.searchParams, versionOf(headers));
}

function count({ exchange, owner, request: { headers } }: Given): Answer {
  const waiting = exchange.inboxOf(owner).length;
  const first = { internalID: 'fake', allResultsIncluded: true };
  return { status: 200, body: { count: waiting, ...(versionOf(headers) === 1 && first) } };
}

function download({ exchange, owner, parts: [id = '', number] }: Given): Answer {
  const message = exchange.open(owner, id);
  const wanted = number ? Number(number) : 1;
  if (!(wanted >= 1 && wanted <= message.total)) throw new Refused(404, 'Chunk does not exist');
  return chunk(message, wanted);
}

function acknowledge({ exchange, owner, request: { headers }, parts: [id = ''] }: Given): Answer {
  const message = exchange.open(owner, id);
  message.status = 'acknowledged';
  return { status: 200, body: versionOf(headers) === 2 ? { message_id: id } : { messageId: id } };
}

function find(
  exchange: Exchange,
  request: FakeRequest,
  odsCode: string | undefined,
  workflow: string,
): Answer {
  const found = exchange.mailboxes.filter(
    (each) => each.workflows.includes(workflow) && (odsCode === undefined || each.odsCode === odsCode),
  );
  return mailboxesFound(found, versionOf(request.headers));
}
