import type { Caller } from '../../../accounts/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { causeInWords } from '../words.ts';
import { readCauses } from './causes.ts';

/** The causes of undelivered messages in words: those with the most pressing messages first. The reading is audited. */
export async function listUndeliveredCauses(deps: Platform, caller: Caller, ipAddress: string) {
  const { causes } = await readCauses(deps, caller, ipAddress);
  return causes.map(causeInWords);
}
