import { isIP, SocketAddress } from 'node:net';

/**
 * An IP address in the form in which it is stored and compared: IPv4 written as IPv6 (`::ffff:10.0.0.1`) becomes IPv4, and
 * IPv6 has its shortest form without a zone. Undefined for other text, which a proxy can send.
 */
export function plainAddress(text: string): string | undefined {
  const address = text.split('%', 1)[0]!;
  switch (isIP(address)) {
    case 4:
      return address;
    case 6: {
      const shortest = new SocketAddress({ address, family: 'ipv6' }).address;
      return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(shortest)?.[1] ?? shortest;
    }
    default:
      return undefined;
  }
}
