import { describe, expect, it } from 'vitest';
import { aReferral } from '../../../../test/app/builders.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import { referralLifeFixture } from '../../../../test/referrals/life-fixture.ts';
import { changeReferral, setRestricted, storedReferral } from '../../../../test/referrals/stored.ts';
import { callerOf, findAccount } from '../../../accounts/index.ts';
import { readWorklist, type WorklistName } from './list-work.ts';

const { site, place, elsewhere, referrer, colleague, provider, operator, stranger, post } =
  await referralLifeFixture();

async function refer(given_name: string, family_name: string, serviceId = place.serviceId) {
  const { patient } = aReferral(serviceId);
  const { nhs_number: _, ...rest } = patient;
  const body = aReferral(serviceId, { patient: { ...rest, given_name, family_name } });
  return (await post(referrer, '', body)).body as { id: string; reference: string };
}

async function found(who: { id: string }, list: WorklistName, words: string, more: object = {}) {
  const caller = callerOf((await findAccount(site.deps.db, who.id))!, 'session');
  const request = { list, tab: 'all', words, ...more };
  const page = { page: 1, pageLength: 50, ipAddress: '::1' };
  const { rows, count } = await readWorklist(site.deps, caller, request, page);
  expect(count).toBe(rows.length);
  return rows.map(({ referral }) => referral.reference).toSorted();
}

const sean = await refer('Seán', 'O’Brien-Walsh');
const seana = await refer('Seana', 'Sutton');
const choir = await refer('Sean', 'Sutton', elsewhere.serviceId);

describe('a worklist searched by words', () => {
  it('finds by a name’s beginning, without accents and capitals', async () => {
    const all = [sean.reference, seana.reference, choir.reference].toSorted();
    expect(await found(referrer, 'made', 'SEAN')).toEqual(all);
    expect(await found(referrer, 'made', 'walsh seán')).toEqual([sean.reference]);
    expect(await found(referrer, 'made', "o'brien")).toEqual([sean.reference]);
    expect(await found(referrer, 'made', 'ean')).toEqual([]);
    expect(await found(referrer, 'made', '% _ & | ! :* \' "')).toEqual([]);
  });

  it('finds by the reference, with or without hyphen, and service', async () => {
    expect(await found(referrer, 'made', sean.reference.toLowerCase())).toEqual([sean.reference]);
    expect(await found(referrer, 'made', sean.reference.replace('-', ''))).toEqual([sean.reference]);
    expect(await found(referrer, 'made', 'thursday sutton')).toEqual([choir.reference]);
  });

  it('finds within the filters, and nothing of others', async () => {
    expect(await found(provider, 'received', 'sutton')).toEqual([seana.reference]);
    expect(await found(referrer, 'made', 'sutton', { urgentOnly: true })).toEqual([]);
    expect(await found(stranger, 'made', 'sutton')).toEqual([]);
  });

  it('finds nobody by name for an operator, who sees no names', async () => {
    expect(await found(operator, 'all', 'sutton')).toEqual([]);
    expect(await found(operator, 'all', choir.reference)).toEqual([choir.reference]);
    expect(await found(operator, 'all', 'choir')).toEqual([choir.reference]);
  });

  it('finds no restricted referral by the person’s name', async () => {
    const { reference, id } = await refer('Rest', 'Ricted');
    await setRestricted(site.deps.db, id, new Date());
    expect(await found(referrer, 'made', 'ricted')).toEqual([]);
    expect(await found(referrer, 'made', reference)).toEqual([reference]);
  });

  it('finds a sensitive service only for those who may know it', async () => {
    await markSensitive(site.deps.db, elsewhere.serviceId);
    expect(await found(colleague, 'made', 'choir')).toEqual([]);
    expect(await found(operator, 'all', 'choir')).toEqual([]);
    expect(await found(colleague, 'made', 'sutton sean')).toEqual(
      [seana.reference, choir.reference].toSorted(),
    );
    expect(await found(referrer, 'made', 'choir')).toEqual([choir.reference]);
    await post(colleague, `/${choir.id}/open`, { reason: 'I cover for her this week.' });
    expect(await found(colleague, 'made', 'choir')).toEqual([choir.reference]);
  });

  it('finds nobody by the name that a hidden service entered', async () => {
    const { id } = await refer('Maiden', 'Before', elsewhere.serviceId);
    const { content } = await storedReferral(site.deps.db, id);
    const { patient, ...rest } = content as { patient: object };
    const corrected = {
      ...rest,
      patient: { ...patient, family_name: 'After' },
      referrers_details: { 'patient.family_name': 'Before' },
    };
    await changeReferral(site.deps.db, id, { content: JSON.stringify(corrected) });
    expect(await found(referrer, 'made', 'after')).toHaveLength(1);
    expect(await found(colleague, 'made', 'after')).toEqual([]);
  });
});
