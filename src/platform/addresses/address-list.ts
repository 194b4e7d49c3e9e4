import { BlockList, isIP } from 'node:net';
import { plainAddress } from './plain-address.ts';

/** A network as people write it, such as `10.0.0.0/8` or a single address, in one form; undefined for other text. */
export function readNetwork(text: string): string | undefined {
  const [, address = '', bitsText] = /^([0-9a-f.:]{2,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const family = isIP(address);
  const plain = plainAddress(address);
  if (plain === undefined) return undefined;
  const max = family === 6 ? 128 : 32;
  const bits = bitsText === undefined ? max : Number(bitsText);
  // Written as IPv6, an IPv4 network has 96 bits before it.
  const plainBits = family === 6 && isIP(plain) === 4 ? bits - 96 : bits;
  if (bits > max || plainBits < 1) return undefined;
  return plainBits === (isIP(plain) === 4 ? 32 : 128) ? plain : `${plain}/${plainBits}`;
}

export type AddressList = { has(address: string): boolean };

/** A list of networks in the form of `readNetwork`. Text that is no address is in none of them. */
export function addressList(networks: readonly string[]): AddressList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return {
    has(address) {
      const plain = plainAddress(address);
      return plain !== undefined && list.check(plain, familyOf(plain));
    },
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
