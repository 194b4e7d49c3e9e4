import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSettings } from '../src/platform/settings/index.ts';
import { describeSchema } from './describe-schema.ts';
import { describeWholeApi } from './describe-whole-api.ts';
import { renderClinicalSafety } from './render-hazards.ts';

/** Writes the files that are made from the code. CI makes them again and fails on any difference. */
const root = join(import.meta.dirname, '..');
await writeFile(join(root, 'docs', 'configuration.md'), describeSettings());
await writeFile(join(root, 'docs', 'clinical-safety.md'), renderClinicalSafety());
await writeFile(join(root, 'openapi.json'), `${JSON.stringify(await describeWholeApi(), null, 2)}\n`);
const tables = join(root, 'src', 'platform', 'database', 'tables.ts');
await describeSchema(tables);
execFileSync('npx', ['biome', 'check', '--write', tables], { stdio: ['ignore', 'ignore', 'inherit'] });
