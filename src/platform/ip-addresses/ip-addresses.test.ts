import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIpAddressList, networkOf, plainIpAddress, readNetwork } from './index.ts';

const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 });
const ipv4 = octets.map((parts) => parts.join('.'));
const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
const written = (parts: number[]) => parts.map((part) => part.toString(16)).join(':');

describe('an IP address', () => {
  it('has one form, however it was written', () => {
    expect(plainIpAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(plainIpAddress('::FFFF:0a00:0001')).toBe('10.0.0.1');
    expect(plainIpAddress('2001:0DB8:0:0::1')).toBe('2001:db8::1');
    expect(plainIpAddress('fe80::1%eth0')).toBe('fe80::1');
  });

  it('is undefined for other text, which is one unknown network', () => {
    for (const text of [
      '',
      'hello',
      '10.0.0',
      '10.0.0.256',
      ':::',
      '1'.repeat(20_000),
      '\0',
      '10.0.0.1, 10.0.0.2',
    ]) {
      expect(plainIpAddress(text), text.slice(0, 20)).toBeUndefined();
      expect(networkOf(text), text.slice(0, 20)).toBe('unknown');
      expect(createIpAddressList(['10.0.0.0/8']).has(text)).toBe(false);
    }
  });
});

describe('the network of an address', () => {
  it('is an IPv4 address itself, or the /64 of an IPv6 address', () => {
    fc.assert(
      fc.property(ipv4, (address) => {
        expect(networkOf(address)).toBe(address);
        expect(networkOf(`::ffff:${address}`)).toBe(address);
      }),
    );
    fc.assert(
      fc.property(groups, groups, (one, other) => {
        fc.pre(one.slice(0, 4).some((part) => part > 0));
        const first = one.slice(0, 4);
        expect(networkOf(written(one))).toBe(networkOf(written([...first, ...other.slice(4)])));
        expect(networkOf(written(one))).toBe(`${written(first)}::/64`);
      }),
    );
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('64:ff9b::1.2.3.4')).toBe('64:ff9b:0:0::/64');
  });

  it('does not depend on how the address was written', () => {
    fc.assert(
      fc.property(groups, (parts) => {
        const padded = parts.map((part) => part.toString(16).padStart(4, '0').toUpperCase()).join(':');
        const minLength = plainIpAddress(padded)!;
        expect(networkOf(padded)).toBe(networkOf(minLength));
        expect(networkOf(`${padded}%eth0`)).toBe(networkOf(minLength));
      }),
    );
    expect(networkOf('::ffff:0a00:0001')).toBe('10.0.0.1');
  });
});

describe('a list of networks', () => {
  it('is read as people write networks, and refuses other text', () => {
    expect(readNetwork('10.0.0.0/8')).toBe('10.0.0.0/8');
    expect(readNetwork('192.0.2.7')).toBe('192.0.2.7');
    expect(readNetwork('192.0.2.7/32')).toBe('192.0.2.7');
    expect(readNetwork('2001:DB8::/32')).toBe('2001:db8::/32');
    expect(readNetwork('::ffff:10.0.0.0/104')).toBe('10.0.0.0/8');
    for (const text of [
      '',
      '10.0.0.0/',
      '10.0.0.0/33',
      '0.0.0.0/0',
      '::/0',
      '::/129',
      '::ffff:0.0.0.0/96',
      'fe80::1%eth0',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      '10.0.0.0 /8',
      'example.org',
      '010.0.0.1',
      '10.0.0.0/8\0',
    ]) {
      expect(readNetwork(text), text).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => void readNetwork(text)));
  });

  it('has the network’s own address, and none of the other family', () => {
    fc.assert(
      fc.property(ipv4, fc.integer({ min: 1, max: 32 }), (address, bits) => {
        const list = createIpAddressList([readNetwork(`${address}/${bits}`)!]);
        expect(list.has(address) && list.has(`::ffff:${address}`)).toBe(true);
        expect(list.has('2001:db8::1')).toBe(false);
      }),
    );
    const list = createIpAddressList(['10.1.0.0/16', '2001:db8:5::/48', '192.0.2.7']);
    for (const inside of ['10.1.255.9', '2001:db8:5:ffff::1', '192.0.2.7'])
      expect(list.has(inside), inside).toBe(true);
    for (const outside of ['10.2.0.1', '2001:db8:6::1', '192.0.2.8', '::1'])
      expect(list.has(outside), outside).toBe(false);
  });
});
