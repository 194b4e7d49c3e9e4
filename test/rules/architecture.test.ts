import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const cruiser = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
const planted = mkdtempSync(join(tmpdir(), 'onward-planted-'));
afterAll(() => rmSync(planted, { recursive: true }));

function cruisePlanted() {
  return spawnSync(process.execPath, [cruiser, 'src'], { cwd: planted, encoding: 'utf8' });
}

describe('the architecture rules', () => {
  // They pass in silence when they can read no module.
  it('notice a violation', () => {
    for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
      cpSync(join(root, name), join(planted, name));
    symlinkSync(join(root, 'node_modules'), join(planted, 'node_modules'));
    mkdirSync(join(planted, 'src', 'audit'), { recursive: true });
    mkdirSync(join(planted, 'src', 'tokens'));
    writeFileSync(join(planted, 'src', 'tokens', 'token.ts'), 'export const token = 1;\n');
    writeFileSync(
      join(planted, 'src', 'audit', 'planted.ts'),
      "import '../tokens/token.ts';\nimport 'kysely';\n",
    );
    const { stdout, status } = cruisePlanted();
    expect(status).not.toBe(0);
    for (const rule of ['audit-imports-down', 'tokens-has-one-door', 'sql-in-stores'])
      expect(stdout).toContain(rule);
  });

  // Nothing would check what such a folder imports.
  it('refuse a folder below a room that no floor lists', () => {
    mkdirSync(join(planted, 'src', 'audit', 'unlisted'));
    writeFileSync(join(planted, 'src', 'audit', 'unlisted', 'planted.ts'), 'export const planted = 1;\n');
    const { stdout, stderr, status } = cruisePlanted();
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain('List on a floor of .dependency-cruiser.cjs: audit/unlisted');
  });
});
