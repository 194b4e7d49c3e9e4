import { actorOf, type Caller, mailOperators } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { forbidden, Problem } from '../../../platform/problem/index.ts';
import { requireReason } from '../../../platform/reason.ts';
import { saveSensitiveUntil } from '../../channels/referral-marks-store.ts';
import { confirmSensitiveMark, removeMarkByWords } from '../../write/mark-sensitive-store.ts';
import { openForEdit } from '../edit-service.ts';

/**
 * Confirms that a service is sensitive, as its words suggested. It does nothing if somebody has decided that before.
 * @returns whether it was confirmed now. @throws Problem `not-found`, `forbidden`.
 */
export function confirmSensitive(
  deps: Platform,
  caller: Caller,
  { id, ipAddress }: { id: string; ipAddress: string },
): Promise<boolean> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await openForEdit(trx, caller, id);
    if (!(await confirmSensitiveMark(trx, id, at))) return false;
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service.referral_settings_changed',
      subject: { type: 'service', id },
      details: { sensitive: true, confirmed: true },
    });
    return true;
  });
}

/**
 * Says of several services that their words marked that none of them is sensitive. Services about which somebody has decided before stay as
 * they are. All operators are told, because one person alone could reveal somebody in danger.
 * @returns how many it was said of. @throws Problem `not-found`, `forbidden`, `unprocessable` without a reason.
 */
export function denySensitive(
  deps: Platform,
  caller: Caller,
  { ids, reason: typed, ipAddress }: { ids: readonly string[]; reason: string; ipAddress: string },
): Promise<number> {
  if (!caller.roles.includes('operator'))
    throw new Problem(forbidden, 'Only an operator says that a service is not sensitive.');
  const reason = requireReason(typed);
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const names: string[] = [];
    for (const id of ids) {
      const { name } = await openForEdit(trx, caller, id);
      if (!(await removeMarkByWords(trx, id, at))) continue;
      await saveSensitiveUntil(trx, id, at);
      await recordAudit(trx, {
        at,
        actor: actorOf(caller, ipAddress),
        action: 'service.referral_settings_changed',
        subject: { type: 'service', id },
        details: { sensitive: false, reason },
      });
      names.push(name);
    }
    if (names.length > 0) await tellOperators(trx, deps, { by: caller.name, names, reason });
    return names.length;
  });
}

function tellOperators(
  trx: Trx,
  deps: Platform,
  { by, names, reason }: { by: string; names: readonly string[]; reason: string },
): Promise<void> {
  const { siteName, baseUrl } = deps.settings;
  return mailOperators(trx, deps, 'site', {
    subject: 'Services that looked sensitive are said not to be',
    paragraphs: [
      `${by} said on ${siteName} that these services, which we had marked because of their words, are not sensitive:`,
      names.join('\n'),
      `Why: ${reason}`,
      `If this is wrong for one of them, find it and mark it again in its settings: ${baseUrl}/services`,
    ],
  });
}
