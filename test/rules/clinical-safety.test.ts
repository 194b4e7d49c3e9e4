import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHazards, renderClinicalSafety, riskOf } from '../../scripts/render-hazards.ts';

const root = join(import.meta.dirname, '..', '..');
const hazards = readHazards();

describe('the hazard log', () => {
  it('names an existing test for each control', () => {
    const named = hazards.flatMap((hazard) => hazard.controls.flatMap(({ tests }) => tests));
    expect(named.length).toBeGreaterThan(50);
    const missing = named.filter(({ file, title }) => !titlesIn(join(root, file)).includes(title));
    expect(missing).toEqual([]);
  });

  it.each(hazards)('$id has a cause, an effect, tested controls and an owner', (hazard) => {
    for (const text of [hazard.title, hazard.happens, hazard.cause, hazard.effect, hazard.site, hazard.owner])
      expect(text).toMatch(/\S{2}/);
    expect(hazard.controls.length).toBeGreaterThan(0);
    for (const { control, tests } of hazard.controls) expect([control, tests.length]).not.toContain(0);
  });

  it.each(hazards)('$id is rated, and its controls make no risk greater', ({ initial, residual }) => {
    for (const { severity, likelihood } of [initial, residual]) {
      expect([1, 2, 3, 4, 5]).toContain(severity);
      expect([1, 2, 3, 4, 5]).toContain(likelihood);
    }
    expect(riskOf(residual)!).toBeLessThanOrEqual(riskOf(initial)!);
  });

  it('gives each hazard an id of its own', () => {
    const ids = hazards.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const id of ids) expect(id).toMatch(/^H\d\d$/);
  });

  it('is in the paper as the data say it', () => {
    const written = readFileSync(join(root, 'docs', 'clinical-safety.md'), 'utf8');
    expect(
      written === renderClinicalSafety(),
      'The log in docs/clinical-safety.md is made from docs/assurance/hazards.json. Put what you wrote in the log there (an id is H and two digits), then run `npm run generate`, or only `npm run hazards`.',
    ).toBe(true);
  });
});

/** The titles of a file's tests. */
function titlesIn(path: string): string {
  if (!existsSync(path)) return '';
  const begun = /^\s*(?:test|it|describe)\b.*?\(\s*(['`].*)$/gm;
  return [...readFileSync(path, 'utf8').matchAll(begun)].map(([, title]) => title).join('\n');
}
