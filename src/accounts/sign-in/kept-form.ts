import type { CallerIdentity, Request } from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { isSecret } from '../../platform/secrets/index.ts';
import { findSessionOwner } from '../model/sessions-store.ts';
import { sessionSecretOf } from './session.ts';

// A form that arrives after its session has ended is given back on a page, to be sent again. Somebody else may sit at the computer
// by then, so it is sealed for the account of that session: nobody else can read it on the page, or send it in their name.

const purpose = 'form kept for its sender';

/** @returns the sealed form; undefined if nobody can tell whose session it was. */
export async function keepForm(
  { db, secrets, settings }: Pick<Platform, 'db' | 'secrets' | 'settings'>,
  request: Request,
  form: string,
): Promise<string | undefined> {
  const secret = sessionSecretOf(request, settings);
  if (secret === undefined || !isSecret(secret)) return undefined;
  const owner = await findSessionOwner(db, secrets.hash('session', secret));
  return owner && secrets.seal(purpose, owner, form).toString('base64url');
}

/** @returns the form; undefined if it was kept for somebody else. */
export function openKeptForm(
  { secrets }: Pick<Platform, 'secrets'>,
  { accountId }: CallerIdentity,
  sealed: string,
): string | undefined {
  try {
    return secrets.open(purpose, accountId, Buffer.from(sealed, 'base64url'));
  } catch {
    return undefined;
  }
}
