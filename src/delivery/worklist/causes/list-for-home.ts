import type { Caller } from '../../../accounts/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { causeInWords } from '../words.ts';
import { type Cause, readCauses } from './causes.ts';

/** The causes of undelivered messages in words: those with the most pressing messages first. The reading is audited. */
export async function listUndeliveredCauses(deps: Platform, caller: Caller, ipAddress: string) {
  const { causes } = await readCauses(deps, caller, ipAddress);
  return causes.map((cause) => ({
    ...causeInWords(cause),
    isUnanswered: cause.kind === 'unanswered',
    action: actionFor(cause),
  }));
}

/** What the page of the cause offers first. What may have arrived is looked at before it is sent again. */
function actionFor({ kind }: Cause): string {
  if (kind === 'no-practice') return 'Ask for the practice';
  return kind === 'failed' || kind === 'expired' ? 'Retry' : 'See what to do';
}
