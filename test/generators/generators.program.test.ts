import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { generate } from 'orval';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleKeys } from '../people/api-client.ts';
import { readySite } from '../process/ready-site.ts';
import { environment, type SiteProcess } from '../process/site-process.ts';

// Generators that vendors use make a client from the document, as a real site serves it. A program that uses it compiles,
// strictly and without a cast, and makes a referral. What `openapi-typescript` makes is tested by sdk/.

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let site: SiteProcess;
let token: string;
let folder: string;
beforeAll(async () => {
  site = await readySite();
  token = (await sampleKeys(site, 'referrer')).access;
  folder = await mkdtemp(join(tmpdir(), 'onward-generators-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await site?.remove();
  await rm(folder, { recursive: true });
});

/** Compiles a program as a careful project would, and runs it. @returns what it printed */
async function compileAndRun(program: string, familyName: string): Promise<string> {
  const file = join(folder, `${familyName}.ts`);
  await copyFile(join(import.meta.dirname, program), file);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: ['node'],
      },
      files: [file],
    }),
  );
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const mistakes = await run(process.execPath, [compiler], { cwd: folder }).then(
    () => '',
    ({ stdout }) => stdout,
  );
  expect(mistakes).toBe('');
  const bundle = join(folder, `${familyName}.mjs`);
  await build({ input: file, platform: 'node', output: { file: bundle }, logLevel: 'silent' });
  const env = { ...environment(), SITE: site.baseUrl, ACCESS_TOKEN: token, FAMILY_NAME: familyName };
  return (await run(process.execPath, [bundle], { env })).stdout;
}

const printedBy = (familyName: string) => `At Infirmary Lane Surgery.
bad-request [ '/reasons' ]
requested, for ${familyName}
cancelled: She has changed her mind.
true true
`;

describe('a client generated from the document', () => {
  it('compiles and refers when made by @hey-api/openapi-ts', async () => {
    await createClient({
      input: `${site.baseUrl}/openapi.json`,
      output: join(folder, 'client'),
      logs: 'silent',
    });
    expect(await compileAndRun('refer-with-hey-api.ts.txt', 'Heyworth')).toBe(printedBy('Heyworth'));
  });

  it('compiles and makes a referral when orval made it', async () => {
    const target = join(folder, 'orval-client.ts');
    await generate({
      input: `${site.baseUrl}/openapi.json`,
      output: { target, client: 'fetch', baseUrl: site.baseUrl },
    });
    expect(await compileAndRun('refer-with-orval.ts.txt', 'Orwell')).toBe(printedBy('Orwell'));
  });
});
