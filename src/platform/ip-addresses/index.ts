import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * An IP address in the form in which it is stored and compared: IPv4 written as IPv6 (`::ffff:10.0.0.1`) becomes IPv4, and
 * IPv6 has its shortest form without a zone. Undefined for other text, which a proxy can send.
 */
export function plainIpAddress(text: string): string | undefined {
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

/**
 * The network that an IP address counts for: an IPv4 address itself, or the /64 of an IPv6 address, since one household has
 * 2^64 addresses. All other text counts as one network.
 */
export function networkOf(ipAddress: string): string {
  const plain = plainIpAddress(ipAddress);
  if (plain === undefined) return 'unknown';
  if (isIPv4(plain)) return plain;
  const groups = ipaddr.IPv6.parse(plain).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** A network as people write it, such as `10.0.0.0/8` or a single address, in one form; undefined for other text. */
export function readNetwork(text: string): string | undefined {
  const [, address = '', bitsText] = /^([0-9a-f.:]{2,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const family = isIP(address);
  const plain = plainIpAddress(address);
  if (plain === undefined) return undefined;
  const max = family === 6 ? 128 : 32;
  const bits = bitsText === undefined ? max : Number(bitsText);
  // Written as IPv6, an IPv4 network has 96 bits before it.
  const plainBits = family === 6 && isIP(plain) === 4 ? bits - 96 : bits;
  if (bits > max || plainBits < 1) return undefined;
  return plainBits === (isIP(plain) === 4 ? 32 : 128) ? plain : `${plain}/${plainBits}`;
}

export type IpAddressList = { has(ipAddress: string): boolean };

/** A list of networks in the form of `readNetwork`. Text that is not an IP address is in none of them. */
export function createIpAddressList(networks: readonly string[]): IpAddressList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return {
    has(ipAddress) {
      const plain = plainIpAddress(ipAddress);
      return plain !== undefined && list.check(plain, familyOf(plain));
    },
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/**
 * Whether the host of a URL is this machine. It goes by the name alone, so that no name server can change the answer. `URL`
 * puts IPv6 in brackets.
 */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
