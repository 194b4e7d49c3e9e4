export { type AddressList, addressList, readNetwork } from './address-list.ts';
export { isLoopback } from './is-loopback.ts';
export { networkOf } from './network-of.ts';
export { plainAddress } from './plain-address.ts';
