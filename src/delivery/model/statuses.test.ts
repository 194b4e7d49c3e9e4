import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valuesAllowedBy } from '../../../test/database/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import type { Database } from '../../platform/database/index.ts';
import { attemptOutcomes, deliveryStatuses } from '../../referrals/index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe('the checks in SQL of statuses and kinds', () => {
  // A migration says them in words of its own, since it stays as it is when the code changes.
  it.each([
    ['deliveries_status_check', deliveryStatuses],
    ['delivery_attempts_outcome_check', attemptOutcomes],
  ])('%s allows exactly the values that the code knows', async (constraint, known) => {
    const allowed = await valuesAllowedBy(database.db, constraint);
    expect(allowed.sort()).toEqual([...known].sort());
  });
});
