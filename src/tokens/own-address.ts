import { addressList, plainAddress } from '../platform/addresses/index.ts';
import type { Request } from '../platform/http/index.ts';

/** Where the person who looks at the page is, and whether the list leaves that out. */
export function ownAddress(request: Request, networks: readonly string[]) {
  const address = plainAddress(request.ip);
  const isOutside = networks.length > 0 && !addressList(networks).has(request.ip);
  return { address, isOutside };
}
