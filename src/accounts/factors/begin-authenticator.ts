import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findPendingAuthenticator, savePendingAuthenticator } from './second-factors-store.ts';
import { newTotpSecret, openTotpSecret, sealTotpSecret } from './totp.ts';

/** Who does not finish within this begins again: a secret on a forgotten screen is worth nothing. */
const pendingForMs = 30 * 60_000;

/** Makes a secret for an authenticator app; it counts for nothing until a code shows that the app has it. */
export async function beginAuthenticator(deps: Platform, accountId: string): Promise<void> {
  const sealed = sealTotpSecret(deps, accountId, await newTotpSecret());
  await inTransaction(deps.db, (trx) =>
    savePendingAuthenticator(trx, { accountId, sealed, at: deps.clock.now() }),
  );
}

/** The secret that waits for its first code, if any. */
export async function pendingTotpSecret(
  deps: Platform,
  accountId: string,
  db = deps.db,
): Promise<string | undefined> {
  const madeAfter = new Date(deps.clock.now().getTime() - pendingForMs);
  const sealed = await findPendingAuthenticator(db, accountId, madeAfter);
  return sealed && openTotpSecret(deps, accountId, sealed);
}
