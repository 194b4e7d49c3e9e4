import { connect } from 'node:net';
import type { Settings } from '../settings/index.ts';
import { mayCallFromSettings } from './addresses.ts';
import { OutboundError } from './request.ts';
import { trustedFetch } from './trusted-fetch.ts';

/** What a virus scanner says of a file; `not-scanned` when there is none, or it gave no answer. */
type ScanResult = 'clean' | 'infected' | 'not-scanned';

const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 };

/**
 * Has the scanner that the settings name look at a file: over HTTP, where 2xx is clean and 406 or 422 is a virus, or over ICAP
 * (RFC 3507). A scanner that is away keeps nobody from attaching a file: it is marked as not scanned.
 */
export async function scanFile(
  settings: Pick<Settings, 'mode' | 'scanUrl'>,
  content: Buffer,
): Promise<ScanResult> {
  if (settings.scanUrl === undefined) return 'not-scanned';
  const url = new URL(settings.scanUrl);
  try {
    return await (url.protocol === 'icap:' ? scanByIcap : scanByHttp)(settings, url, content);
  } catch {
    return 'not-scanned';
  }
}

async function scanByHttp(settings: Pick<Settings, 'mode'>, url: URL, content: Buffer): Promise<ScanResult> {
  const headers = { 'content-type': 'application/octet-stream' };
  const request = { method: 'POST', headers, body: new Uint8Array(content) };
  const { ok, status } = await trustedFetch(settings, [url], limits)(url.href, request);
  if (ok) return 'clean';
  return status === 406 || status === 422 ? 'infected' : 'not-scanned';
}

async function scanByIcap(settings: Pick<Settings, 'mode'>, url: URL, content: Buffer): Promise<ScanResult> {
  const port = Number(url.port || 1344);
  // ICAP has no TLS. A live site trusts the network that its operator chose for it; from a test site nothing leaves.
  const isOnThisMachine = mayCallFromSettings(new URL(`http://${url.hostname}:${port}`), 'test', []);
  if (settings.mode === 'test' && !isOnThisMachine) throw new OutboundError('ADDRESS_NOT_ALLOWED');
  return readIcapAnswer(await sendAndReadHead(url.hostname, port, icapRequest(url, content)));
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

/** Sends the request and reads the beginning of the answer, where the verdict stands. */
function sendAndReadHead(host: string, port: number, request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host.replaceAll(/[[\]]/g, ''));
    let answer = '';
    socket.setTimeout(limits.timeoutMs, () => socket.destroy(new Error('The scanner is too slow.')));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (answer.length > limits.maxBytes || /^ICAP\/1\.\d 204/.test(answer)) socket.end();
    });
    socket.write(request);
  });
}

/** A clean file is answered with 204, or with the file itself; a virus with a header, or with a page that refuses it. */
function readIcapAnswer(answer: string): ScanResult {
  const status = /^ICAP\/1\.\d (\d{3})/.exec(answer)?.[1];
  if (status === '204') return 'clean';
  if (status !== '200') return 'not-scanned';
  const isInfected = /^X-(Infection-Found|Virus-ID|Violations-Found):/im.test(answer);
  return isInfected || /^HTTP\/1\.\d 4\d\d/m.test(answer) ? 'infected' : 'clean';
}
