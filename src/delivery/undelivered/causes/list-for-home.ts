import type { Db } from '../../../platform/database/index.ts';
import { neutralReasons } from '../hide-receivers.ts';
import { nameOfCause } from '../words.ts';
import { isAboutPerson } from './causes.ts';
import { listLeadingCauses } from './leading-causes-store.ts';

/** The causes of undelivered messages that an operator deals with first, in words. The caller audits that they are read. */
export async function listUndeliveredCauses(db: Db, limit: number) {
  const causes = await listLeadingCauses(db, limit);
  return causes.map(({ id, kind, isSensitive, fault, count, reason, reasonCount, ...cause }) => ({
    name:
      isSensitive && count > 1
        ? 'Restricted services'
        : nameOfCause({ kind, isHidden: isSensitive, ...cause }),
    about: isSensitive ? neutralReasons[kind] : reasonCount > 1 ? `${reason} And other reasons.` : reason,
    since: cause.since,
    count,
    isPressing: cause.isPressing,
    isUnanswered: kind === 'unanswered',
    action: !isSensitive && isAboutPerson({ fault }) ? 'See what to do' : actionFor(kind),
    href: isSensitive
      ? `/operator/deliveries${count === 1 ? `/${id}` : ''}`
      : `/operator/deliveries/causes/${id}`,
  }));
}

/** What the page of the cause offers first. A link is not called “Retry” as the list’s buttons are: what may have arrived is checked first. */
function actionFor(kind: keyof typeof neutralReasons): string {
  if (kind === 'no-practice') return 'Ask for the practice';
  return kind === 'failed' || kind === 'expired' ? 'Check and retry' : 'See what to do';
}
