import type { Request } from '../../platform/http/index.ts';
import { createIpAddressList, plainIpAddress } from '../../platform/ip-addresses/index.ts';

/** The IP address of the person who reads the page, and whether it is outside the list. */
export function callersIpAddress(request: Request, networks: readonly string[]) {
  const ipAddress = plainIpAddress(request.ip);
  const isOutside = networks.length > 0 && !createIpAddressList(networks).has(request.ip);
  return { ipAddress, isOutside };
}
