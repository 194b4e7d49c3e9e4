import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  goOnTo,
  header,
  type OidcPeople,
  openOidcSite,
  type Person,
  unlink,
  type Visit,
} from '../../../test/people/oidc-people.ts';
import { pageVisitor } from '../../../test/people/page-visitor.ts';
import { siteActor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { makeLink } from '../email-links/links.ts';
import { inviteAccount } from '../people/invite-account.ts';

let people: OidcPeople;
let site: OidcPeople['site'];
let provider: OidcPeople['provider'];
let baseUrl: OidcPeople['baseUrl'];
let personCalled: OidcPeople['personCalled'];
let auditOf: OidcPeople['auditOf'];
beforeAll(async () => {
  people = await openOidcSite();
  ({ site, provider, baseUrl, personCalled, auditOf } = people);
});
afterAll(() => people.close());

/** Invites somebody. @returns the path of the link in the email. */
async function anInvitation(name: string): Promise<{ id: string; path: string }> {
  const { deps } = site;
  const invited = { email: `${name}@example.org`, name, roles: ['referrer' as const], hasApiAccess: true };
  const id = await inviteAccount(deps, siteActor, invited);
  const address = await inTransaction(deps.db, (trx) => makeLink(trx, deps, id, 'invitation'));
  return { id, path: new URL(address).pathname };
}

async function acceptElsewhere(person: Person, path: string): Promise<Visit> {
  return goOnTo(person, await person.submit(await person.visit(path), '/signin/oidc/invitation', {}));
}

describe('an invitation accepted with the provider', () => {
  it('signs the person in without a password, once', async () => {
    const { id, path } = await anInvitation('nina');
    const person = personCalled('nina');
    const home = await acceptElsewhere(person, path);
    expect([home.url, header(home)]).toEqual(['/', expect.stringContaining('nina')]);
    expect((await person.visit('/apikeys')).url).toBe('/apikeys');
    expect(await auditOf(id)).toEqual(['identity.linked done', 'session.started done']);

    expect((await pageVisitor(baseUrl).visit(path)).status).toBe(404);
    expect((await personCalled('nina').visit('/signin/oidc')).url).toBe('/');
    expect((await unlink(person)).status).toBe(409);
    // Neither the log nor the provider has the invitation's secret.
    const secret = path.split('/').at(-1)!;
    expect(site.logLines.join('') + provider.state.asked.join('')).not.toContain(secret);
  });

  it('is refused once used; stays open if the sign-in is taken', async () => {
    const first = await anInvitation('olaf');
    const [slow, quick] = [personCalled('olaf'), personCalled('olaf')];
    const goOn = await slow.submit(await slow.visit(first.path), '/signin/oidc/invitation', {});
    expect((await acceptElsewhere(quick, first.path)).url).toBe('/');
    const late = await goOnTo(slow, goOn);
    expect([late.status, late.text]).toEqual([404, expect.stringContaining('no longer works')]);

    const second = await anInvitation('olga');
    expect((await acceptElsewhere(personCalled('olaf'), second.path)).status).toBe(409);
    expect((await acceptElsewhere(personCalled('olga'), second.path)).url).toBe('/');
  });

  it('leads nowhere when it never existed', async () => {
    const { path } = await anInvitation('petra');
    const person = personCalled('petra');
    const page = await person.visit(path);
    for (const secret of ['', 'made-up', 'A'.repeat(43)]) {
      const visit = await person.submit(page, '/signin/oidc/invitation', { secret });
      expect([visit.status, visit.text]).toEqual([404, expect.stringContaining('no longer works')]);
    }
  });
});
