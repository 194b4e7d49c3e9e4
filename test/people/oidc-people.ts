import { anAccount } from '../app/builders.ts';
import { makeApp } from '../app/make-app.ts';
import { storedEntries } from '../audit/stored.ts';
import { startOidcProvider } from '../network/oidc-provider.ts';
import { freePort } from '../process/site-process.ts';
import { pageVisitor } from './page-visitor.ts';

export type OidcPeople = Awaited<ReturnType<typeof openOidcSite>>;
export type Person = ReturnType<typeof pageVisitor>;
export type Visit = Awaited<ReturnType<Person['visit']>>;

export const header = ({ page }: Visit) => page.querySelector('.nhsuk-header__account')?.text;

/** Presses the button of a page that leads to the provider. */
export function goOnTo(person: Person, { page }: Visit): Promise<Visit> {
  return person.visit(page.querySelector('main a.nhsuk-button')?.getAttribute('href') ?? '');
}

export async function unlink(person: Person): Promise<Visit> {
  return person.submit(await person.visit('/account/identities'), '/account/identities/unlink', {});
}

export async function link(person: Person): Promise<Visit> {
  const page = await person.visit('/account/identities');
  return goOnTo(person, await person.submit(page, '/account/identities/link', {}));
}

/** A site that listens, with a provider; and people with browsers, who click through both. */
export async function openOidcSite() {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const provider = await startOidcProvider(await freePort(), `${baseUrl}/signin/oidc/callback`);
  const env = { ...provider.env, ONWARD_PORT: String(port), ONWARD_BASE_URL: baseUrl };
  const site = await makeApp({ env });
  provider.state.clock = site.clock;
  await site.app.listen({ port, host: '127.0.0.1' });

  /** A person of this name at the provider, with a browser at the site. */
  function personCalled(subject: string): Person {
    provider.state.somebody = { subject };
    return pageVisitor(baseUrl);
  }
  return {
    site,
    provider,
    baseUrl,
    personCalled,
    /** A person with an account that is linked to the provider. */
    async aLinkedPerson(subject: string) {
      const account = await anAccount(site.deps, { name: subject });
      const person = personCalled(subject);
      await person.signIn(account);
      const { url } = await link(person);
      if (url !== '/account/identities?done=linked') throw new Error(`the link led to ${url}`);
      return { account, person };
    },
    async auditOf(accountId: string): Promise<string[]> {
      const entries = await storedEntries(site.deps.db, { actorId: accountId });
      const ofProvider = entries.filter(
        ({ action, details }) => action.startsWith('identity.') || details.method === 'openid-connect',
      );
      return ofProvider.map(({ action, outcome }) => `${action} ${outcome}`);
    },
    async close(): Promise<void> {
      await site.close();
      await provider.stop();
    },
  };
}
