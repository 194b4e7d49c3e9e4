import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/builders.ts';
import { makeApp } from '../../../test/make-app.ts';

test('who is on the side of a deadlock that PostgreSQL ends is told to try again, and can', async () => {
  const site = await makeApp();
  try {
    const { db } = site.deps;
    const { serviceId } = await aService(site.deps);
    const { headers } = await aTokenHolder(site.deps, {});
    const payload = aReferral(serviceId);
    const submit = () => site.app.inject({ method: 'POST', url: '/api/referrals', payload, headers });
    await sql`
      create function be_ended() returns trigger language plpgsql as
      $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`.execute(db);
    await sql`
      create trigger be_ended before insert on referrals for each row execute function be_ended()`.execute(
      db,
    );
    const ended = await submit();
    expect([ended.statusCode, ended.headers['retry-after'], ended.json().type]).toEqual([
      503,
      '5',
      expect.stringMatching(/unavailable$/),
    ]);
    await sql`drop trigger be_ended on referrals`.execute(db);
    expect((await submit()).statusCode).toBe(201);
  } finally {
    await site.close();
  }
});
