import type { Socket } from 'node:net';
import { badRequest, Problem, tooLarge } from '../problem/index.ts';
import type { Settings } from '../settings/index.ts';
import { problemBody } from './error-answers.ts';

type Deps = {
  settings: Settings;
  headers: Readonly<Record<string, string>>;
  nameRequest: () => string;
};

/**
 * Answers what cannot be read as a request and so reaches no route, hook or log: the same problem+json as any other
 * refusal, without a byte of what was sent. The connection ends with it, since nobody knows where the next one begins.
 */
export function answerUnreadable({ settings, headers, nameRequest }: Deps) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (socket.writable) socket.write(answerTo(error));
    socket.destroy();
  };

  function answerTo({ code }: NodeJS.ErrnoException): string {
    const problem = problemOf(code);
    const body = JSON.stringify(problemBody(problem, nameRequest(), settings));
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    return [`HTTP/1.1 ${problem.kind.status} Refused`, ...lines, '', body].join('\r\n');
  }
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem({ ...tooLarge, status: 431 }, 'Send headers of at most 16 kilobytes altogether.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        { ...badRequest, status: 408 },
        'The request took too long to arrive. Send it again.',
      );
    default:
      return new Problem(badRequest, 'This is no HTTP request.');
  }
}
