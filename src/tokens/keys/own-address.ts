import { addressList, plainAddress } from '../../platform/addresses/index.ts';
import type { Request } from '../../platform/http/index.ts';

/** The address of the person who reads the page, and whether it is outside the list. */
export function ownAddress(request: Request, networks: readonly string[]) {
  const address = plainAddress(request.ip);
  const isOutside = networks.length > 0 && !addressList(networks).has(request.ip);
  return { address, isOutside };
}
