import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

// Loaded before the site of the dress rehearsal (`node --import`). It replaces the internet, which a test does not
// have. A live site calls only public addresses, and its checks are unchanged here. The name is in the DNS with a
// public address. Everything that is sent to that address ends on this machine.

const publicAddress = '93.184.215.14';
const names: Readonly<Record<string, string>> = {
  'system.example.org': publicAddress,
  'inside.example.org': '127.0.0.1',
};

const lookup = dns.lookup as (host: string, options: object, done: LookedUp) => void;
type LookedUp = (error: Error | null, found: string | LookupAddress[], family?: number) => void;

Object.assign(dns, {
  lookup(host: string, options: { all?: boolean }, done: LookedUp) {
    const address = names[host];
    if (address === undefined) return lookup(host, options, done);
    process.nextTick(() => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)));
  },
});
syncBuiltinESMExports();

const connect = net.Socket.prototype.connect as (this: net.Socket, ...given: unknown[]) => net.Socket;
net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
  const [options] = given as [{ lookup?: typeof lookup } | undefined];
  const asked = options?.lookup;
  if (typeof asked !== 'function') return connect.apply(this, given);
  // What the site made of the answer of the DNS is what is connected to.
  const routed: typeof lookup = (host, how, done) =>
    asked(host, how, (error, found, family) => done(error, route(found), family));
  return connect.call(this, { ...options, lookup: routed }, ...given.slice(1));
} as typeof net.Socket.prototype.connect;

function route(found: string | LookupAddress[]): string | LookupAddress[] {
  if (Array.isArray(found)) return found.map((each) => ({ ...each, address: route(each.address) as string }));
  return found === publicAddress ? '127.0.0.1' : found;
}
