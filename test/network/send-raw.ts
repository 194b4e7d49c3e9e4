import { once } from 'node:events';
import { connect } from 'node:net';

/** The raw answer to exactly these bytes of a GET request. Clients tidy up what they send. */
export async function sendRaw(
  port: number,
  path: string,
  ...headers: string[]
): Promise<{ status: number; answer: string }> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => {
    answer += text;
  });
  socket.write(
    `${[`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`,
  );
  await once(socket, 'close');
  return { status: Number(answer.split(' ')[1]), answer };
}
