import { connect } from 'node:net';
import type { Settings } from '../settings/index.ts';
import { mayCallFromSettings } from './addresses.ts';
import { OutboundError } from './request.ts';
import { createTrustedFetch } from './trusted-fetch.ts';

/** What a virus scanner says of a file; `not-scanned` when there is none, or it gave no answer. */
type ScanResult = 'clean' | 'infected' | 'not-scanned';

/** Somebody waits for an upload. The file is scanned again later, when nobody does. */
export const uploadTimeoutMs = 10_000;
const unhurriedTimeoutMs = 30_000;
const maxBytes = 64 * 1024;

/**
 * Has a file scanned by the scanner in the settings: over HTTP, where 2xx is clean and 406 or 422 is a virus, or over ICAP
 * (RFC 3507). While the scanner is unreachable, people can still attach a file: it is marked as not scanned.
 */
export async function scanFile(
  settings: Pick<Settings, 'mode' | 'scanUrl'>,
  content: Buffer,
  { timeoutMs = unhurriedTimeoutMs }: { timeoutMs?: number } = {},
): Promise<ScanResult> {
  if (settings.scanUrl === undefined) return 'not-scanned';
  const url = new URL(settings.scanUrl);
  try {
    return await (url.protocol === 'icap:' ? scanByIcap : scanByHttp)(settings, url, content, timeoutMs);
  } catch {
    return 'not-scanned';
  }
}

async function scanByHttp(
  settings: Pick<Settings, 'mode'>,
  url: URL,
  content: Buffer,
  timeoutMs: number,
): Promise<ScanResult> {
  const headers = { 'content-type': 'application/octet-stream' };
  const request = { method: 'POST', headers, body: new Uint8Array(content) };
  const fetchTrusted = createTrustedFetch(settings, [url], { timeoutMs, maxBytes });
  const { ok, status } = await fetchTrusted(url.href, request);
  if (ok) return 'clean';
  return status === 406 || status === 422 ? 'infected' : 'not-scanned';
}

async function scanByIcap(
  settings: Pick<Settings, 'mode'>,
  url: URL,
  content: Buffer,
  timeoutMs: number,
): Promise<ScanResult> {
  const port = Number(url.port || 1344);
  // ICAP has no TLS. A live site trusts the network that its operator chose for it; from a test site nothing leaves.
  const isOnThisMachine = mayCallFromSettings(new URL(`http://${url.hostname}:${port}`), 'test', []);
  if (settings.mode === 'test' && !isOnThisMachine) throw new OutboundError('ADDRESS_NOT_ALLOWED');
  return readIcapAnswer(
    await sendAndRead({ host: url.hostname, port, timeoutMs }, icapRequest(url, content)),
    content,
  );
}

/** The file as the body of an HTTP answer that the scanner is asked to look at. */
function icapRequest({ host, hostname, pathname }: URL, content: Buffer): Buffer {
  const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ${content.length}\r\n\r\n`;
  const head = [
    `RESPMOD icap://${host}${pathname} ICAP/1.0`,
    `Host: ${hostname}`,
    'Allow: 204',
    'Connection: close',
    `Encapsulated: res-hdr=0, res-body=${answer.length}`,
  ].join('\r\n');
  const before = `${head}\r\n\r\n${answer}${content.length.toString(16)}\r\n`;
  return Buffer.concat([Buffer.from(before), content, Buffer.from('\r\n0\r\n\r\n')]);
}

/**
 * Sends the request and reads the whole answer. A scanner that answers drop by drop holds an upload no longer than one that is
 * silent.
 */
function sendAndRead(
  { host, port, timeoutMs }: { host: string; port: number; timeoutMs: number },
  request: Buffer,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host.replaceAll(/[[\]]/g, ''));
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLate = setTimeout(() => socket.destroy(new Error('The scanner is too slow.')), timeoutMs);
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(tooLate);
      resolve(Buffer.concat(chunks));
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      const isEnough = chunks.length === 1 && /^ICAP\/1\.\d 204/.test(chunk.toString('latin1', 0, 16));
      // A clean file may come back as it was sent, in chunks of any size.
      if (isEnough || size > 2 * request.length + maxBytes) socket.end();
    });
    socket.write(request);
  });
}

/**
 * A file is clean if the scanner answers 204, or sends the whole file back. Anything else in the file’s place means a
 * virus. An answer that breaks off says nothing.
 */
function readIcapAnswer(answer: Buffer, file: Buffer): ScanResult {
  const { head, rest } = cutHead(answer);
  const status = /^ICAP\/1\.\d (\d{3})/.exec(head)?.[1];
  if (status === '204') return 'clean';
  if (status !== '200') return 'not-scanned';
  if (/^X-(Infection-Found|Virus-ID|Virus-Name|Violations-Found):/im.test(head)) return 'infected';
  const start = /^Encapsulated:.*\bres-body=(\d+)/im.exec(head)?.[1];
  const http = /^HTTP\/1\.\d (\d{3})/.exec(cutHead(rest).head)?.[1];
  if (http === undefined || http.startsWith('5')) return 'not-scanned';
  if (!http.startsWith('2')) return 'infected';
  const body = start === undefined ? undefined : joinChunks(rest.subarray(Number(start)));
  if (!body) return 'not-scanned';
  return body.equals(file) ? 'clean' : 'infected';
}

function cutHead(text: Buffer): { head: string; rest: Buffer } {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return { head: text.toString('latin1'), rest: Buffer.alloc(0) };
  return { head: text.toString('latin1', 0, end), rest: text.subarray(end + 4) };
}

/** A body that was sent in chunks (RFC 9112, 7.1); undefined if its end is missing. */
function joinChunks(body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    const size = line < 0 ? undefined : /^[\da-f]{1,8}/i.exec(body.toString('latin1', at, line))?.[0];
    if (size === undefined) return undefined;
    const length = parseInt(size, 16);
    if (length === 0) return Buffer.concat(chunks);
    if (line + 2 + length > body.length) return undefined;
    chunks.push(body.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
}
