import { insertIdentity } from '../../src/accounts/model/identities-store.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { anAccount } from '../app/builders.ts';
import { makeApp } from '../app/make-app.ts';
import { startOidcProvider } from '../network/oidc-provider.ts';
import { freePort } from '../process/site-process.ts';

export const callback = 'http://localhost:8080/signin/oidc/callback';

/** The result for somebody who comes back from the provider. */
export const unfinished = { status: 400, title: 'This sign-in cannot be finished', signedIn: false };
export const declined = { status: 403, title: 'You were not signed in', signedIn: false };
export const notAsItShould = {
  status: 503,
  title: 'The sign-in service does not answer as it should',
  signedIn: false,
};
export const done = { status: 303, title: '', signedIn: true };

/** A site with a provider, where Asha’s account is linked already, and browsers whose every step a test can see. */
export async function makeOidcSite() {
  const provider = await startOidcProvider(await freePort(), callback);
  const site = await makeApp({ env: provider.env });
  provider.state.clock = site.clock;
  const { id: accountId } = await anAccount(site.deps);
  const id = '00000000-0000-7000-8000-000000000001';
  const identity = { id, accountId, issuer: provider.issuer, subject: 'asha', at: site.clock.now() };
  await inTransaction(site.deps.db, (trx) => insertIdentity(trx, identity));

  /** Starts a sign-in. @returns the provider's address to which the browser is sent, and its cookie. */
  async function start(cookie = '') {
    const answer = await site.app.inject({ url: '/signin/oidc', headers: { cookie } });
    const [set] = answer.cookies;
    return { address: String(answer.headers.location), cookie: set ? `${set.name}=${set.value}` : '' };
  }

  /** The site's answer to a browser that comes back to this address. */
  async function comeBack(address: string, cookie: string) {
    const { pathname, search } = new URL(address);
    const answer = await site.app.inject({ url: pathname + search, headers: { cookie } });
    const title = /<h1[^>]*>([^<]*)/.exec(answer.body)?.[1] ?? '';
    return {
      status: answer.statusCode,
      title,
      signedIn: answer.cookies.some(({ name }) => name === 'onward-session'),
    };
  }

  return {
    site,
    provider,
    start,
    comeBack,
    async signInOnce() {
      const { address, cookie } = await start();
      return comeBack(await provider.signInAt(address), cookie);
    },
    /** Makes the provider behave correctly again. */
    mend() {
      provider.state.tamper = {};
      provider.state.somebody = { subject: 'asha' };
    },
    async close() {
      await site.close();
      await provider.stop();
    },
  };
}
