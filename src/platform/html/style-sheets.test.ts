import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nhsukStyles, unusedParts } from './style-sheets.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const ownFiles = globSync('src/**/*.{njk,ts,js,md}', { cwd: root }).filter(
  (path) => !path.includes('style-sheets'),
);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('NHS.UK’s style sheet', () => {
  it('lacks only parts that no page uses', () => {
    const ours = ownFiles.map(read).join('\n');
    const macros = new Set(Array.from(ours.matchAll(/nhsuk\/components\/([\w-]+)\//g), ([, name]) => name));
    const theirs = [...macros].map((name) =>
      read(`node_modules/nhsuk-frontend/dist/nhsuk/components/${name}/template.njk`),
    );
    const unused = new RegExp(`nhsuk-(?:${unusedParts.join('|')})(?![a-z0-9])[\\w-]*`, 'g');
    expect([ours, ...theirs].join('\n').match(unused)).toBeNull();
    expect(macros.size).toBeGreaterThan(10);
  });

  it('keeps whole rules, and those of the parts that are used', () => {
    expect(nhsukStyles.split('{').length).toBe(nhsukStyles.split('}').length);
    expect(nhsukStyles).toContain('.nhsuk-button');
    expect(nhsukStyles).toContain('.nhsuk-summary-list__row');
    expect(nhsukStyles).not.toContain('.nhsuk-hero');
  });
});
