import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

type Step = 'connect' | 'EHLO' | 'HELO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end';

/**
 * A mail server on a bare socket, which answers each step as the test says: with a line, by hanging up
 * (`null`), or by sending a byte again and again and never ending its line (`drip`).
 */
export async function scriptedMailServer(answers: Partial<Record<Step, string | null | 'drip'>>) {
  const usual: Record<Step, string> = {
    connect: '220 mail',
    EHLO: '250-mail\r\n250 AUTH PLAIN',
    HELO: '250 mail',
    AUTH: '235 ok',
    MAIL: '250 ok',
    RCPT: '250 ok',
    DATA: '354 go on',
    end: '250 taken',
  };
  const sockets = new Set<Socket>();
  const steps: Step[] = [];
  const answer = (socket: Socket, step: Step) => {
    steps.push(step);
    const what = step in answers ? answers[step] : usual[step];
    if (what === null || what === undefined) return void socket.end();
    if (what !== 'drip') return void socket.write(`${what}\r\n`);
    const timer = setInterval(() => socket.write('2'), 100);
    socket.once('close', () => clearInterval(timer));
  };
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)).on('error', () => undefined));
    let inData = false;
    let unread = '';
    answer(socket, 'connect');
    socket.on('data', (data) => {
      unread += data.toString();
      for (;;) {
        const end = unread.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const line = unread.slice(0, end);
        unread = unread.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          answer(socket, 'end');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else {
          const step = line.slice(0, 4).toUpperCase() as Step;
          answer(socket, step);
          inData = step === 'DATA' && (answers.DATA ?? usual.DATA).startsWith('3');
        }
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    steps,
    connections: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
