import { isIP, SocketAddress } from 'node:net';

/**
 * An IP address in the one form in which it is stored and compared: IPv4 that arrived as IPv6 (`::ffff:10.0.0.1`) is
 * IPv4, IPv6 is in its shortest form and names no zone. Undefined where the text is no address, which a proxy can send.
 */
export function plainAddress(text: string): string | undefined {
  const address = text.split('%', 1)[0]!;
  switch (isIP(address)) {
    case 4:
      return address;
    case 6: {
      const minLength = new SocketAddress({ address, family: 'ipv6' }).address;
      return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(minLength)?.[1] ?? minLength;
    }
    default:
      return undefined;
  }
}
