import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Whether this machine has Mono’s compiler, which knows C# 7. The guide’s samples are in C# 12. */
export const hasMono = isInstalled('mcs') && isInstalled('mono');

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What every .NET project of the console template has in its usings. */
const implicitUsings = [
  'System',
  'System.Collections.Generic',
  'System.IO',
  'System.Linq',
  'System.Net.Http',
  'System.Threading',
  'System.Threading.Tasks',
];

/** A sample as Mono compiles it: without marks for null, with a `Main`, and each `using` declaration as a plain variable. */
export function forMono(sample: string): string {
  const usings = [...sample.matchAll(/^using ([\w.]+);.*$/gm)].map(([, name]) => name!);
  const plain = sample
    .replaceAll(/^using [\w.]+;.*$/gm, '')
    .replaceAll(/\busing var /g, 'var ')
    .replaceAll(/(?<=[)\]\w])!(?=[[.);, ])(?! =)/g, '')
    .replaceAll(/\b(string|object)\? /g, '$1 ');
  const firstType =
    /^(?:\/\/\/.*\n)*(?:(?:public|sealed|static) )*class /m.exec(plain)?.index ?? plain.length;
  const [statements, types] = [plain.slice(0, firstType), plain.slice(firstType)];
  const program = statements.replaceAll(/\/\/.*$/gm, '').trim();
  const main =
    program &&
    `class Program
{
    static void Main() { Run().GetAwaiter().GetResult(); }
    static async Task Run()
    {
${statements}
    }
}
`;
  const named = [...new Set([...implicitUsings, ...usings])];
  return `${named.map((name) => `using ${name};`).join('\n')}\n${main}${types}`;
}

const shim = join(import.meta.dirname, 'mono-shim.cs');

/** Compiles files, each made by `forMono`, to a program that `mono` runs. @throws with the compiler’s errors. */
export function compileForMono(program: string, files: readonly string[]): void {
  const references = ['System.Net.Http', 'System.Web.Extensions'].map((name) => `-r:${name}.dll`);
  execFileSync('mcs', ['-langversion:latest', `-out:${program}`, ...references, shim, ...files], {
    stdio: 'pipe',
  });
}
