import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHazards, renderClinicalSafety, riskOf } from '../../scripts/generate/hazards.ts';

const root = join(import.meta.dirname, '..', '..');
const hazards = readHazards();

describe('the hazard log', () => {
  it('names an existing test for each control', () => {
    const named = hazards.flatMap((hazard) => hazard.controls.flatMap(({ tests }) => tests));
    expect(named.length).toBeGreaterThan(50);
    const missing = named.filter(({ file, title }) => !titlesIn(join(root, file)).has(title));
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

  it('is in the paper exactly as in hazards.json', () => {
    const written = readFileSync(join(root, 'docs', 'clinical-safety.md'), 'utf8');
    expect(
      written === renderClinicalSafety(),
      'The log in docs/clinical-safety.md is made from docs/assurance/hazards.json. Put what you wrote in the log there (an id is H and two digits), then run `npm run generate`, or only `npm run hazards`.',
    ).toBe(true);
  });
});

/** The titles of a file's tests, as they are written, without a number in brackets that a run puts in. */
function titlesIn(path: string): Set<string> {
  if (!existsSync(path)) return new Set();
  // A table of cases ends in a line of its own.
  const begun = /^\s*(?:(?:test|it)\b.*?|\](?: as const)?\))\(\s*(['`])(.+?)\1\s*,/gm;
  return new Set(
    [...readFileSync(path, 'utf8').matchAll(begun)].map(([, , title]) => title!.replace(/ \(\$\{.*\)$/, '')),
  );
}

describe('“Report a safety concern”', () => {
  it('is on every page, because every page has the same frame', () => {
    const templates = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.njk'))
      .map((name) => [name, readFileSync(join(root, 'src', name), 'utf8')] as const);
    expect(templates.length).toBeGreaterThan(50);
    const frames = templates.filter(([, text]) => /<html\b/.test(text)).map(([name]) => name);
    // The second is no page of the site: the person gets it as a file.
    expect(frames.sort()).toEqual(['platform/html/templates/layout.njk', 'records/templates/record.njk']);
    const [, layout = ''] = templates.find(([name]) => name === 'platform/html/templates/layout.njk')!;
    const footer = layout.slice(layout.indexOf('<footer'));
    expect(footer).toMatch(
      /<p [^>]*>Report a safety concern: .*\{\{ site\.clinicalSafetyContact \}\}.*"\/contact"/,
    );
    expect(footer, 'in no block that a page could replace').not.toContain('{% block');
  });
});
