import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describeSettings } from '../src/platform/settings/index.ts';
import { type ApiDocument, describeChanges } from './describe-changes.ts';
import { clientTypes, pythonClient, routesForTypeScript } from './describe-client.ts';
import { describeSchema } from './describe-schema.ts';
import { describeWholeApi } from './describe-whole-api.ts';
import { renderClinicalSafety } from './render-hazards.ts';

/** Writes the files that are made from the code. CI makes them again and fails on any difference. */
const root = join(import.meta.dirname, '..');
await writeFile(join(root, 'docs', 'configuration.md'), describeSettings());
await writeFile(join(root, 'docs', 'clinical-safety.md'), renderClinicalSafety());
const api = await describeWholeApi();
await writeFile(join(root, 'openapi.json'), `${JSON.stringify(api, null, 2)}\n`);
const firstDocument = gunzipSync(await readFile(join(root, 'test', 'rules', 'openapi-e7dc646.json.gz')));
await writeFile(
  join(root, 'docs', 'guide', 'changes.md'),
  describeChanges(JSON.parse(firstDocument.toString()) as ApiDocument, api as unknown as ApiDocument),
);
const routes = join(root, 'sdk', 'src', 'generated', 'routes.ts');
await writeFile(routes, routesForTypeScript(api));
await writeFile(join(root, 'sdk', 'src', 'generated', 'api.ts'), await clientTypes(api));
const python = join(root, 'sdk', 'python', 'onward.py');
const problemPages = (await readdir(join(root, 'docs', 'problems'))).filter((name) => name.endsWith('.md'));
const problemCodes = problemPages.map((name) => name.slice(0, -'.md'.length)).sort();
await writeFile(python, pythonClient(await readFile(python, 'utf8'), api, problemCodes));
const tables = join(root, 'src', 'platform', 'database', 'tables.ts');
await describeSchema(tables);
const format = ['biome', 'check', '--write', tables, routes];
execFileSync('npx', format, { stdio: ['ignore', 'ignore', 'inherit'] });
