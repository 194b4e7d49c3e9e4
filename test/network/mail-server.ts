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
  /** Connections that were made, including those that failed later. */
  connections(): number;
  /** Ends every connection there is, as a power cut would. */
  breakOff(): void;
  close(): Promise<void>;
};

/** A real mail server on loopback. `secure` is TLS from the start; otherwise it offers STARTTLS. */
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
      const keep = (raw: string) => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        received.push({ from, to, raw, secure: session.secure, user: session.user });
        done();
      };
      // Of a sender that was killed in the middle nothing is kept.
      text(stream).then(keep, done);
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

/** Of `localhost` and `system.example.org`, signed by itself, for a hundred years. Made for these tests alone; nobody trusts it elsewhere. */
export const testCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBsjCCAVegAwIBAgIUNtEcLpaoT751y6duhyYJ7GWnZSAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE4MDMyNVoYDzIxMjYxMDI4
MTgwMzI1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATdIn4XPcBpCAzUBw1RcFlyvKojuDjZFI85ucqClkINl7xypGdpGO5u
GIf0q8rVpzAoext6LzkWBuhKGKz9NzlTo4GEMIGBMB0GA1UdDgQWBBSl0zw693iX
MxtJ959K6J4TUqa9MjAfBgNVHSMEGDAWgBSl0zw693iXMxtJ959K6J4TUqa9MjAP
BgNVHRMBAf8EBTADAQH/MC4GA1UdEQQnMCWCCWxvY2FsaG9zdIcEfwAAAYISc3lz
dGVtLmV4YW1wbGUub3JnMAoGCCqGSM49BAMCA0kAMEYCIQDWoodJOTvmm1/a1huv
OClkjFIomRgzNaKPIzUvJvqN9AIhALrOXskMV4bxEsEOjR0fpKwq+UVKd0Z4TQd2
CYWu2tEZ
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzD2Xxe8j+IjiW+Uk
4zosFSZyTEiPdXdc84DIzeUAQcmhRANCAATdIn4XPcBpCAzUBw1RcFlyvKojuDjZ
FI85ucqClkINl7xypGdpGO5uGIf0q8rVpzAoext6LzkWBuhKGKz9NzlT
-----END PRIVATE KEY-----`,
};
