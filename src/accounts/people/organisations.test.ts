import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Role } from '../model/account.ts';
import { findAccount } from '../model/accounts-store.ts';
import { upsertOrganisation } from '../model/organisations/organisations-store.ts';
import type { NewAccount } from './create-account.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

/** Makes an account there. @returns its id. */
async function someoneAt(organisation: NewAccount['organisation'], role: Role = 'provider'): Promise<string> {
  return (await anAccount(site.deps, { role, organisation })).id;
}

const organisationOf = async (accountId: string) =>
  (await findAccount(site.deps.db, accountId))!.organisation!;

describe('the organisation of an account', () => {
  it('is another one for each organisation of the library', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const ofA = await someoneAt({ name: 'Age UK', libraryOrganizationId: a });
    const ofB = await someoneAt({ name: 'Age UK', libraryOrganizationId: b });
    expect((await organisationOf(ofA)).libraryOrganizationId).toBe(a);
    expect((await organisationOf(ofB)).libraryOrganizationId).toBe(b);
  });

  it('stays the same when the library renames it', async () => {
    const libraryOrganizationId = randomUUID();
    const before = await someoneAt({ name: 'Weir House', odsCode: 'Z99', libraryOrganizationId });
    const after = await someoneAt({ name: 'Age UK', libraryOrganizationId });
    expect(await organisationOf(after)).toMatchObject({
      name: 'Age UK',
      odsCode: 'Z99',
      libraryOrganizationId,
    });
    expect(await organisationOf(before)).toEqual(await organisationOf(after));
  });

  it('is never mixed up with one of the library of the same name', async () => {
    const name = 'Infirmary Lane Surgery';
    const libraryOrganizationId = randomUUID();
    const first = await someoneAt({ name }, 'referrer');
    const provider = await someoneAt({ name, libraryOrganizationId });
    const second = await someoneAt({ name }, 'referrer');
    expect((await organisationOf(first)).libraryOrganizationId).toBeNull();
    expect(await organisationOf(second)).toEqual(await organisationOf(first));
    expect((await organisationOf(provider)).libraryOrganizationId).toBe(libraryOrganizationId);
    expect((await organisationOf(provider)).id).not.toBe((await organisationOf(first)).id);
  });

  it.each([null, 'of the library'])('is created once by twenty simultaneous requests (%s)', async (given) => {
    const name = `Sarrowby Trust ${randomUUID()}`;
    const libraryOrganizationId = given && randomUUID();
    const made = await Promise.all(
      Array.from({ length: 20 }, () =>
        inTransaction(site.deps.db, (trx) =>
          upsertOrganisation(trx, {
            id: newId(),
            name,
            odsCode: null,
            libraryOrganizationId,
            at: site.clock.now(),
          }),
        ),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });
});
