import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a server received it, with its headers. */
type ReceivedMail = {
  from: string;
  to: string[];
  raw: string;
  secure: boolean;
  user: string | undefined;
};

export type MailServer = {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Connections that were made, whatever became of them. */
  connections(): number;
  /** Ends every connection there is, as a power cut would. */
  breakOff(): void;
  close(): Promise<void>;
};

/** For tests: a real mail server on loopback. `secure` is TLS from the start; otherwise it offers STARTTLS. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    ...testCertificate,
    authOptional: true,
    disableReverseLookup: true,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        received.push({ from, to, raw, secure: session.secure, user: session.user });
        done();
      });
    },
    ...options,
  });
  // Connections that break are what some tests are about.
  server.on('error', () => undefined);
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  return {
    port,
    received,
    connections: () => connections,
    breakOff() {
      for (const socket of sockets) socket.destroy();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Of `localhost`, signed by itself, for a hundred years. Made for these tests alone; nobody trusts it elsewhere. */
export const testCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUfYTYYhxXc6WBxX9Q+j3h9VIvJLswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEyNTU1NVoYDzIxMjYxMDI4
MTI1NTU1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ5XDsm7TkCRClbd3zphMPWvHEFRhYKuQJ+aRsnDbyWb789wwg2sRiR
dZhfI7kuvXTvZuSrSOxNgZT4v6F772J+o28wbTAdBgNVHQ4EFgQUnA1EJKEhSfDf
CM/UHu3XAkAhgYkwHwYDVR0jBBgwFoAUnA1EJKEhSfDfCM/UHu3XAkAhgYkwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIge3iV8EtZ5zG4L8JFFzjls8VBShZolI6Yh4AMfGLqaSkCIH+S
8kxTC6RXuB90eCmcQIo6exJtD3BPLVIrdEQ3iiTC
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6LOIEi1/sVh4hx1a
2WJXZHjBWw9X09QVoUZgXxDRPx6hRANCAAQ5XDsm7TkCRClbd3zphMPWvHEFRhYK
uQJ+aRsnDbyWb789wwg2sRiRdZhfI7kuvXTvZuSrSOxNgZT4v6F772J+
-----END PRIVATE KEY-----`,
};
