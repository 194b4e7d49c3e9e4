import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describeSettings } from '../src/platform/settings/index.ts';
import { type ApiDocument, describeChanges } from './generate/changes.ts';
import { clientTypes, pythonClient, routesForTypeScript } from './generate/client.ts';
import { renderClinicalSafety } from './generate/hazards.ts';
import { withMigratedDatabase } from './generate/migrated-database.ts';
import { writeRowTypes } from './generate/row-types.ts';
import { describeTables } from './generate/schema-paper.ts';
import { describeWholeApi } from './generate/whole-api.ts';

// Writes the files that are made from the code. CI makes them again and fails on any difference.

const root = join(import.meta.dirname, '..');
const api = await describeWholeApi();
const files: Readonly<Record<string, string>> = {
  'docs/configuration.md': describeSettings(),
  'docs/clinical-safety.md': renderClinicalSafety(),
  'docs/guide/changes.md': describeChanges(await readFirstApi(), api as unknown as ApiDocument),
  'openapi.json': `${JSON.stringify(api, null, 2)}\n`,
  'sdk/src/generated/routes.ts': routesForTypeScript(api),
  'sdk/src/generated/api.ts': await clientTypes(api),
  // Only its end is generated.
  'sdk/python/onward.py': pythonClient(await read('sdk/python/onward.py'), api, await listProblemCodes()),
};
// What is the same is left alone, since CI starts sites meanwhile, and they read the guide.
for (const [path, text] of Object.entries(files))
  if (text !== (await read(path))) await writeFile(join(root, path), text);
const tables = 'src/platform/database/tables.ts';
await withMigratedDatabase(async (connection) => {
  await writeRowTypes(connection, join(root, tables));
  await writeFile(join(root, 'docs/schema.md'), await describeTables(connection));
});
execFileSync('npx', ['biome', 'check', '--write', tables, 'sdk/src/generated/routes.ts'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});

function read(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8');
}

/** The document of the first version that vendors could read. */
async function readFirstApi(): Promise<ApiDocument> {
  const packed = await readFile(join(root, 'test/rules/openapi-e7dc646.json.gz'));
  return JSON.parse(gunzipSync(packed).toString());
}

/** Each problem has a page, which is called by its code. */
async function listProblemCodes(): Promise<string[]> {
  const pages = (await readdir(join(root, 'docs/problems'))).filter((name) => name.endsWith('.md'));
  return pages.map((name) => name.slice(0, -'.md'.length)).sort();
}
