import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type FaultCode, faultOf, Refused, refuse } from './faults.ts';
import { type Registration, routeToPractice } from './routing.ts';

export type Mailbox = {
  id: string;
  password: string;
  name: string;
  odsCode: string;
  /** Those it may send and receive. Another workflow's message is refused. */
  workflows: readonly string[];
};

/** Names of headers are in lower case. */
export type Headers = Readonly<Record<string, string>>;

export type ExchangeMessage = {
  id: string;
  type: 'DATA' | 'REPORT';
  from: Mailbox | undefined;
  /** Undefined where nobody could be found: such a message only has a report. */
  recipient: Mailbox | undefined;
  headers: Headers;
  chunks: Buffer[];
  total: number;
  status: 'uploading' | 'accepted' | 'acknowledged' | 'error';
  fault: FaultCode | undefined;
  at: Date;
};

export type ExchangeOptions = {
  mailboxes: readonly Mailbox[];
  registrations: readonly Registration[];
  now: () => Date;
  /** The largest body of one request, in bytes. */
  largestRequest: number;
};

/** What a message exchange keeps and decides. It does not depend on how requests arrive. */
export type Exchange = ReturnType<typeof createExchange>;

export function createExchange({ mailboxes, registrations, now, largestRequest }: ExchangeOptions) {
  const messages: ExchangeMessage[] = [];
  const find = (id: string) => messages.find((message) => message.id === id);
  const mailbox = (id: string) => mailboxes.find((each) => each.id === id);

  function add(message: Omit<ExchangeMessage, 'id' | 'at'>): ExchangeMessage {
    const at = now();
    const digits = at.toISOString().replaceAll(/\D/g, '').slice(0, 17);
    const added = { ...message, id: `${digits}000_${randomBytes(3).toString('hex').toUpperCase()}`, at };
    messages.push(added);
    return added;
  }

  /** Tells the sender that its message will not be delivered. */
  function report(about: ExchangeMessage, code: FaultCode): void {
    about.status = 'error';
    about.fault = code;
    const { event, msg } = faultOf(code);
    const { 'mex-to': to, 'mex-workflowid': workflow, 'mex-localid': localId } = about.headers;
    const headers = {
      'mex-to': to ?? '',
      'mex-workflowid': workflow ?? '',
      'mex-localid': localId ?? '',
      'mex-subject': about.headers['mex-subject'] ?? '',
      'mex-linkedmsgid': about.id,
      'mex-statusevent': event,
      'mex-statuscode': code,
      'mex-statusdescription': msg,
      'mex-statussuccess': 'ERROR',
      'mex-statustimestamp': stamp(now()),
    };
    add({
      type: 'REPORT',
      from: undefined,
      recipient: about.from,
      headers,
      chunks: [Buffer.alloc(0)],
      total: 1,
      status: 'accepted',
      fault: undefined,
    });
  }

  /** Where a message goes. Nothing about a practice that is looked up is said to the sender at once: only in a report. */
  function recipientOf(sender: Mailbox, headers: Headers): { recipient?: Mailbox; fault?: FaultCode } {
    const { 'mex-to': to, 'mex-workflowid': workflow = '' } = headers;
    if (!to) throw refuse('08');
    if (!sender.workflows.includes(workflow)) throw refuse('16');
    if (to.startsWith('GPPROVIDER_')) {
      const routed = routeToPractice(to, registrations);
      if ('fault' in routed) return routed;
      const recipient = mailbox(routed.mailbox);
      return recipient?.workflows.includes(workflow) ? { recipient } : { fault: 'EPL-151' };
    }
    const recipient = mailbox(to);
    if (!recipient) throw refuse('12');
    if (!recipient.workflows.includes(workflow)) throw refuse('17');
    return { recipient };
  }

  function checkBody(body: Buffer, encoding: string | undefined): void {
    if (body.length === 0) throw refuse('02');
    if (body.length > largestRequest) throw new Refused(413, 'Payload Too Large');
    if (encoding === undefined || encoding === '') return;
    if (encoding !== 'gzip') throw refuse('UnsupportedContentEncoding');
    try {
      gunzipSync(body);
    } catch {
      throw refuse('02');
    }
  }

  return {
    messages,
    mailboxes,
    find,
    mailbox,
    report,
    send(sender: Mailbox, headers: Headers, body: Buffer): ExchangeMessage {
      if (headers['mex-from'] !== undefined && headers['mex-from'] !== sender.id) throw refuse('07');
      if (tellsOfAPatient(headers)) throw refuse('06');
      const total = chunksIn(headers['mex-chunk-range'], 1) ?? 1;
      checkBody(body, headers['content-encoding']);
      const { recipient, fault } = recipientOf(sender, headers);
      const status = total > 1 ? 'uploading' : 'accepted';
      const rest = { type: 'DATA', from: sender, recipient, headers, fault: undefined } as const;
      const message = add({ ...rest, chunks: [body], total, status });
      if (fault) report(message, fault);
      return message;
    },
    addChunk(sender: Mailbox, id: string, number: number, headers: Headers, body: Buffer): ExchangeMessage {
      const message = find(id);
      if (message?.type !== 'DATA') throw new Refused(404, 'Message does not exist');
      if (message.from?.id !== sender.id) throw new Refused(403, 'Forbidden');
      if (message.status !== 'uploading') throw new Refused(423, 'Message has been finalised');
      const total = chunksIn(headers['mex-chunk-range'], number);
      if (total !== message.total || number !== message.chunks.length + 1)
        throw refuse('InvalidHeaderChunks');
      const { 'content-encoding': encoding } = headers;
      if (encoding !== message.headers['content-encoding']) throw refuse('UnsupportedContentEncoding');
      checkBody(body, encoding);
      message.chunks.push(body);
      if (number === total) message.status = 'accepted';
      return message;
    },
    inboxOf: (owner: Mailbox) =>
      messages.filter(({ recipient, status }) => recipient?.id === owner.id && status === 'accepted'),
    /** A message that its receiver may read. */
    open(owner: Mailbox, id: string): ExchangeMessage {
      const message = find(id);
      if (!message || message.recipient?.id !== owner.id || message.status === 'uploading')
        throw new Refused(404, 'Message does not exist');
      if (message.status !== 'accepted') throw new Refused(410, 'Message no longer available for download');
      return message;
    },
    sentBy: (owner: Mailbox) => messages.filter(({ from }) => from?.id === owner.id),
  };
}

/** The number of chunks by the header `number:total`, which must name this chunk. */
function chunksIn(range: string | undefined, number: number): number | undefined {
  if (range === undefined || range === '') {
    if (number === 1) return undefined;
    throw refuse('InvalidHeaderChunks');
  }
  const [, given, total] = /^(\d{1,6}):(\d{1,6})$/.exec(range) ?? [];
  if (Number(given) !== number || !(Number(total) >= number)) throw refuse('InvalidHeaderChunks');
  return Number(total);
}

/** Local ids, subjects and names of files are kept in logs, so that they “must not contain PID”. */
function tellsOfAPatient(headers: Headers): boolean {
  return ['mex-localid', 'mex-subject', 'mex-filename'].some((name) =>
    /\b\d{10}\b/.test(headers[name] ?? ''),
  );
}

export function stamp(at: Date): string {
  return at.toISOString().replaceAll(/\D/g, '').slice(0, 14);
}
