import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { virusScanner } from '../../../test/network/virus-scanner.ts';
import { scanFile, uploadTimeoutMs } from './scan-file.ts';

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const virus = Buffer.from('%PDF-1.7 EICAR');
const letter = Buffer.from('%PDF-1.7 A letter.\r\n0\r\n\r\n');

function listening(server: Server): Promise<number> {
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

type Answers = { clean: string | ((file: string) => string); infected: string };

/** A scanner that reads the whole file before it answers, as real ones do. */
function icapScanner({ clean, infected }: Answers): Promise<number> {
  return listening(
    createServer((socket) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (!received.endsWith('\r\n0\r\n\r\n')) return;
        const [, size = '0'] = /res-body=\d+\r\n\r\n.*?\r\n\r\n([0-9a-f]+)\r\n/s.exec(received) ?? [];
        const body = received
          .slice(received.indexOf(`\r\n${size}\r\n`) + size.length + 4)
          .slice(0, parseInt(size, 16));
        socket.end(
          body.includes('EICAR')
            ? infected
            : body.length > 0
              ? typeof clean === 'string'
                ? clean
                : clean(body)
              : 'ICAP/1.0 400 Bad\r\n\r\n',
          'latin1',
        );
      });
    }),
  );
}

const http = (status: string) => `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\n\r\n`;
/** An ICAP answer that has another HTTP answer in it, with its body in chunks. */
function icapWith(status: string, chunks: readonly string[], more = ''): string {
  const head = http(status);
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return `ICAP/1.0 200 OK\r\n${more}Encapsulated: res-hdr=0, res-body=${head.length}\r\n\r\n${head}${body}0\r\n\r\n`;
}

const at = (scanUrl: string | undefined, mode: 'test' | 'live' = 'live') => ({ mode, scanUrl });

describe('a file', () => {
  it.each([
    {
      what: 'says nothing of a clean file, and names a virus',
      clean: 'ICAP/1.0 204 No Content\r\n\r\n',
      infected: 'ICAP/1.0 200 OK\r\nX-Infection-Found: Type=0; Threat=Eicar;\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    },
    {
      what: 'sends a clean file back, and a page in place of a virus',
      clean: (file: string) => icapWith('200 OK', [file.slice(0, 5), file.slice(5)]),
      infected: 'ICAP/1.0 200 OK\r\nEncapsulated: res-hdr=0\r\n\r\nHTTP/1.1 403 Forbidden\r\n\r\n',
    },
    {
      what: 'sends a clean file back, and a page of its own with 200 in place of a virus',
      clean: (file: string) => icapWith('200 OK', [file]),
      infected: icapWith('200 OK', ['<h1>Virus found</h1>']),
    },
    {
      what: 'sends a clean file back, and elsewhere for a virus',
      clean: (file: string) => icapWith('200 OK', [file]),
      infected: icapWith('307 Temporary Redirect', ['Blocked']),
    },
    {
      what: 'names a virus and sends the file back all the same',
      clean: 'ICAP/1.0 204 No Content\r\n\r\n',
      infected: icapWith('200 OK', [virus.toString()], 'X-Virus-Name: Eicar\r\n'),
    },
  ])('is scanned over ICAP by a scanner that $what', async (answers) => {
    const port = await icapScanner(answers);
    const settings = at(`icap://127.0.0.1:${port}/avscan`);
    expect(await scanFile(settings, letter)).toBe('clean');
    expect(await scanFile(settings, virus)).toBe('infected');
  });

  it('is scanned over HTTP', async () => {
    const scanner = await virusScanner();
    servers.push(scanner);
    const settings = at(scanner.url);
    expect(await scanFile(settings, letter)).toBe('clean');
    expect(await scanFile(settings, virus)).toBe('infected');
  });

  it('is marked as not scanned if no scanner answers', async () => {
    expect(await scanFile(at(undefined), letter)).toBe('not-scanned');
    expect(await scanFile(at('icap://127.0.0.1:9/avscan'), letter)).toBe('not-scanned');
    expect(await scanFile(at('http://127.0.0.1:9/scan'), letter)).toBe('not-scanned');
    const broken = { clean: 'ICAP/1.0 500 Error\r\n\r\n', infected: 'nonsense' };
    const port = await icapScanner(broken);
    expect(await scanFile(at(`icap://127.0.0.1:${port}/`), letter)).toBe('not-scanned');
    expect(await scanFile(at(`icap://127.0.0.1:${port}/`), virus)).toBe('not-scanned');
  });

  it.each(['icap', 'http'])('is marked as not scanned if a scanner by %s hangs', async (protocol) => {
    const port = await listening(createServer(() => {}));
    const settings = at(`${protocol}://127.0.0.1:${port}/`);
    expect(await scanFile(settings, letter, { timeoutMs: 50 })).toBe('not-scanned');
    expect(uploadTimeoutMs, 'somebody waits for an upload').toBe(10_000);
  });

  it.each([
    { what: 'ends after its first line', clean: 'ICAP/1.0 200 OK\r\n' },
    { what: 'ends before the body', clean: icapWith('200 OK', []).slice(0, -5) },
    { what: 'ends within the file', clean: icapWith('200 OK', ['%PDF-1.7 A letter.']).slice(0, -20) },
    { what: 'reports a fault of its own', clean: icapWith('500 Internal Server Error', ['Sorry']) },
  ])('is marked as not scanned if the answer $what', async ({ clean }) => {
    const port = await icapScanner({ clean, infected: 'nonsense' });
    expect(await scanFile(at(`icap://127.0.0.1:${port}/`), letter)).toBe('not-scanned');
  });

  it('does not leave a test site', async () => {
    expect(await scanFile(at('icap://203.0.113.1/avscan', 'test'), letter)).toBe('not-scanned');
  });
});
