import { apiClient, copyKeys } from '../../test/people/api-client.ts';
import { pageVisitor } from '../../test/people/page-visitor.ts';
import type { SiteProcess } from '../../test/process/site-process.ts';

/** Somebody with keys to a site, signed in. @throws where the access token does not work. */
export async function signInWithKeys(site: SiteProcess) {
  const person = pageVisitor(site.baseUrl);
  await person.signIn(site.logins.referrer);
  const keys = await copyKeys(person);
  const { status } = await apiClient(site.baseUrl, keys.access).get('/api/token/status');
  if (status !== 200) throw new Error(`the access token was answered ${status}`);
  return { person, ...keys };
}
