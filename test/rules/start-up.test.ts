import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** What a process that imports these files of ours has loaded, as addresses: packages and our own files alike. */
async function loadedBy(...files: string[]): Promise<string[]> {
  // The hook sees import and require, of modules in either form.
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    for (const file of ${JSON.stringify(files)}) await import(file);
    // All of it is written before the process ends, however busy the machine is.
    process.stdout.write(JSON.stringify(loaded), () => process.exit());`;
  const words = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

/** Which of these packages are among them. */
function packagesIn(loaded: readonly string[], packages: readonly string[]): string[] {
  return packages.filter((name) => loaded.some((url) => url.includes(`/node_modules/${name}/`)));
}

/** Some 200 ms and 30 MB together, which only some sites, and these only at times, have a use for. */
const onFirstUse = [
  '@simplewebauthn/server',
  '@zxcvbn-ts/language-common',
  'bowser',
  'nodemailer',
  'openid-client',
  'otpauth',
  'uqr',
];

test('a site starts without the packages that only some requests need', async () => {
  const loaded = await loadedBy('./src/app.ts', './src/worker.ts');
  expect(packagesIn(loaded, [...onFirstUse, 'fastify'])).toEqual(['fastify']);
});

test('each of them would be seen', async () => {
  expect(packagesIn(await loadedBy(...onFirstUse), onFirstUse)).toEqual(onFirstUse);
});

test('a command does not load the pages of the operator', async () => {
  const loaded = await loadedBy('./src/cli/run-command-line.ts');
  expect(loaded.filter((url) => url.includes('/src/operator/'))).toEqual([]);
  expect(packagesIn(loaded, onFirstUse)).toEqual([]);
});

test.each(['start', 'onward'])('what npm run %s compiled is used again', async (name) => {
  const cache = join(root, 'node_modules', '.cache', 'onward');
  const line: string = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).scripts[name];
  const tell =
    "process.on('exit', () => console.log(process.moduleLoadList.join(), require('node:module').getCompileCacheDir()))";
  const first = `--import=data:text/javascript,${encodeURIComponent(`import {createRequire} from 'node:module'; const require = createRequire('/'); ${tell}`)}`;
  // Both end at once, refused: for a setting that there is not, and for want of a command.
  const options = { cwd: root, env: { ONWARD_PROT: '8080' } };
  const words = [first, ...line.slice(line.indexOf('node ') + 5).split(' ')];
  const { stdout } = await promisify(execFile)(process.execPath, words, options).catch((refused) => refused);
  expect(stdout).toContain(cache);
});
