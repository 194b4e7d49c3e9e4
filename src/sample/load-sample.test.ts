import { afterAll, describe, expect, it } from 'vitest';
import { makeApp } from '../../test/app/make-app.ts';
import { storedServices } from '../../test/library/stored.ts';
import { listSensitiveServices } from '../library/index.ts';
import { loadSample } from './load-sample.ts';

const site = await makeApp();
afterAll(() => site.close());

describe('the sample', () => {
  it('marks its sensitive services, so that trainees see the mark', async () => {
    await loadSample(site.deps);
    const sensitive = await listSensitiveServices(site.deps.db);
    const services = await storedServices(site.deps.db);
    const names = services.filter(({ id }) => sensitive.includes(id)).map(({ name }) => name);
    expect(names).toHaveLength(7);
    for (const kind of [/refuge/, /abuse/, /drug/, /gambling/])
      expect(names).toContainEqual(expect.stringMatching(kind));
    const missed = services.filter(
      ({ id, name }) => /refuge\b|abuse|drug|alcohol|gambl/i.test(name) && !sensitive.includes(id),
    );
    expect(missed).toEqual([]);
  });
});
