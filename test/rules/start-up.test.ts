import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The addresses of all modules, ours and packages', that a process has loaded once it has imported these files. */
async function loadedBy(...files: string[]): Promise<string[]> {
  // The hook sees both import and require.
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    for (const file of ${JSON.stringify(files)}) await import(file);
    // The process ends only once everything is written, however busy the machine is.
    process.stdout.write(JSON.stringify(loaded), () => process.exit());`;
  const words = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

/** Which of these packages are among the loaded modules. */
function packagesIn(loaded: readonly string[], packages: readonly string[]): string[] {
  return packages.filter((name) => loaded.some((url) => url.includes(`/node_modules/${name}/`)));
}

/** Together some 500 ms and 30 MB, which only some sites need, and only at times. */
const onFirstUse = [
  '@fastify/fast-json-stringify-compiler',
  '@fastify/send',
  '@simplewebauthn/server',
  '@zxcvbn-ts/language-common',
  'bowser',
  'nodemailer',
  'openid-client',
  'otpauth',
  'undici',
  'uqr',
];

describe('start-up', () => {
  it('leaves out packages that only some requests need', async () => {
    const loaded = await loadedBy('./src/app.ts', './src/worker.ts');
    expect(packagesIn(loaded, [...onFirstUse, 'fastify'])).toEqual(['fastify']);
  });

  it('would be caught if it loaded any of these packages', async () => {
    expect(packagesIn(await loadedBy(...onFirstUse), onFirstUse)).toEqual(onFirstUse);
  });

  it('leaves out the operator’s pages for a command', async () => {
    const loaded = await loadedBy('./src/cli/run-command-line.ts');
    expect(loaded.filter((url) => url.includes('/src/operator/'))).toEqual([]);
    expect(packagesIn(loaded, onFirstUse)).toEqual([]);
  });

  it.each(['start', 'onward'])('uses the compile cache by npm run %s', async (name) => {
    const cache = join(root, 'node_modules', '.cache', 'onward');
    const line: string = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).scripts[name];
    const tell =
      "process.on('exit', () => console.log(process.moduleLoadList.join(), require('node:module').getCompileCacheDir()))";
    const first = `--import=data:text/javascript,${encodeURIComponent(`import {createRequire} from 'node:module'; const require = createRequire('/'); ${tell}`)}`;
    // Both end at once with an error: the setting is unknown, or no command is given.
    const options = { cwd: root, env: { ONWARD_PROT: '8080' } };
    const words = [first, ...line.slice(line.indexOf('node ') + 5).split(' ')];
    const { stdout } = await promisify(execFile)(process.execPath, words, options).catch(
      (refused) => refused,
    );
    expect(stdout).toContain(cache);
  });
});
