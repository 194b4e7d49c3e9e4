import { createSystem, type NewSystem } from '../../src/accounts/index.ts';
import { siteActor } from '../../src/audit/index.ts';
import { scopes } from '../../src/tokens/index.ts';
import type { TestApp } from '../app/make-app.ts';
import { aNamedKey } from './named-keys.ts';

/** A system account with a key for everything, and its calls. */
export async function aSystem(
  site: TestApp,
  given: Pick<NewSystem, 'organisation' | 'ownerId'> & Partial<NewSystem>,
) {
  const id = await createSystem(site.deps, siteActor, { name: 'EMIS Link', roles: ['referrer'], ...given });
  const key = await aNamedKey(site, id, { scopes });
  const headers = { authorization: `Bearer ${await key.accessToken()}` };
  return { id, key, headers };
}
