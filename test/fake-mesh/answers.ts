import { type Exchange, type ExchangeMessage, type Headers, type Mailbox, stamp } from './exchange.ts';
import { faultOf, type Refused } from './faults.ts';

/** What goes back to the client. An object becomes JSON. */
export type Answer = { status: number; headers?: Headers; body?: object | Buffer };

/** The second version has other names, and is given to those who ask for it. */
export type Version = 1 | 2;

export function versionOf(headers: Headers): Version {
  return headers.accept?.includes('application/vnd.mesh.v2+json') ? 2 : 1;
}

export function accepted({ id }: ExchangeMessage, version: Version): Answer {
  return { status: 202, body: version === 2 ? { message_id: id } : { messageID: id } };
}

export function refused({ status, code, message }: Refused, version: Version): Answer {
  if (status === 400)
    return { status, body: { detail: [{ loc: ['header'], msg: message, type: 'value_error' }] } };
  if (code === undefined) return { status, body: { detail: message } };
  const fault = faultOf(code);
  const first = { errorEvent: fault.event, errorCode: fault.code, errorDescription: fault.msg };
  return { status, body: version === 2 ? { detail: [fault] } : first };
}

/** One page of an inbox, or of as much of it as a filter lets through. */
export function page(exchange: Exchange, owner: Mailbox, query: URLSearchParams, version: Version): Answer {
  const max = Number(query.get('max_results') ?? 500);
  const filter = query.get('workflow_filter');
  const from = query.get('continue_from');
  const waiting = exchange
    .inboxOf(owner)
    .filter(({ headers }) => passes(headers['mex-workflowid'] ?? '', filter))
    .map(({ id }) => id)
    .filter((id) => from === null || id > from);
  const messages = waiting.slice(0, max);
  if (version === 1) return { status: 200, body: { messages } };
  const self = `/messageexchange/${owner.id}/inbox?max_results=${max}`;
  const more = waiting.length > max && { next: `${self}&continue_from=${messages.at(-1)}` };
  return {
    status: 200,
    body: { messages, links: { self, ...more }, approx_inbox_count: waiting.length },
  };
}

/** `NAME`, `NAME*` or `*NAME*`, with `!` before it for the others. */
function passes(workflow: string, filter: string | null): boolean {
  if (filter === null) return true;
  const wanted = filter.replace(/^!/, '');
  const name = wanted.replaceAll('*', '');
  const matches = wanted.startsWith('*')
    ? workflow.includes(name)
    : wanted.endsWith('*')
      ? workflow.startsWith(name)
      : workflow === name;
  return matches !== filter.startsWith('!');
}

/** A chunk of a message, with what is to be known of it: 206 while there are more. */
export function chunk(message: ExchangeMessage, number: number): Answer {
  const { headers, total, type, id, from, recipient } = message;
  const kept = Object.entries(headers).filter(
    ([name]) => name.startsWith('mex-') || name === 'content-encoding',
  );
  return {
    status: number < total ? 206 : 200,
    headers: {
      ...Object.fromEntries(kept),
      'content-type': headers['content-type'] ?? 'application/octet-stream',
      'mex-messagetype': type,
      'mex-messageid': id,
      'mex-from': from?.id ?? '',
      'mex-to': type === 'REPORT' ? (headers['mex-to'] ?? '') : (recipient?.id ?? ''),
      ...(total > 1 && { 'mex-chunk-range': `${number}:${total}` }),
    },
    body: message.chunks[number - 1]!,
  };
}

export function tracked(message: ExchangeMessage, version: Version): Answer {
  const { id, headers, status, fault, recipient, at } = message;
  const localId = headers['mex-localid'] ?? '';
  const workflow = headers['mex-workflowid'] ?? '';
  const failed = fault && faultOf(fault);
  if (version === 2)
    return {
      status: 200,
      body: {
        message_id: id,
        local_id: localId,
        workflow_id: workflow,
        recipient: recipient?.id ?? null,
        upload_timestamp: stamp(at),
        status,
        status_success: failed === undefined,
        status_code: failed?.code ?? '00',
        status_description: failed?.msg ?? 'Success',
      },
    };
  const inWords = {
    uploading: 'Uploading',
    accepted: 'Accepted',
    acknowledged: 'Acknowledged',
    error: 'Error',
  };
  const failure = { statusCode: failed?.code ?? null, statusDescription: failed?.msg ?? null };
  const rest = {
    localId,
    workflowId: workflow,
    recipient: recipient?.id ?? null,
    uploadTimestamp: stamp(at),
  };
  return { status: 200, body: { messageId: id, dtsId: id, status: inWords[status], ...rest, ...failure } };
}

export function mailboxesFound(found: readonly Mailbox[], version: Version): Answer {
  const results = found.map(({ id, name }) =>
    version === 2
      ? { mailbox_id: id, mailbox_name: name }
      : { address: id, description: name, endpoint_type: 'MESH' },
  );
  return { status: 200, body: version === 2 ? { results } : { query_id: 'fake', results } };
}
