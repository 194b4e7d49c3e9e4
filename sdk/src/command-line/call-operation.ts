import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { routes } from '../generated/routes.ts';
import { type Answer, routeOf } from '../operations.ts';
import { type Command, print, say, UsageError } from './terminal.ts';

/** `NAME=VALUE` goes into the path where that has the name, otherwise into the query. */
export const callOperation: Command = async (onward, [operationId, ...values], options) => {
  if (!operationId) throw new UsageError('Name an operation, such as: call getTokenStatus');
  suggestNames(operationId);
  const route = routeOf(operationId);
  const path: Record<string, string> = {};
  const query: Record<string, string[]> = {};
  for (const [name, value] of values.map(split)) {
    if (route.path.includes(`{${name}}`)) path[name] = value;
    else query[name] = [...(query[name] ?? []), value];
  }
  for (const [, name = ''] of route.path.matchAll(/\{(\w+)\}/g))
    if (!path[name]) throw new UsageError(`${name}=… is missing.`);
  const body = options.file === undefined ? await readBody(options.body) : await formWith(options.file);
  const given = {
    path,
    query,
    header: { 'if-match': options['if-match'] },
    idempotencyKey: options['idempotency-key'],
    ...(body !== undefined && { body }),
  };
  const call = onward.call as unknown as (operationId: string, given: object) => Promise<Answer<unknown>>;
  const answer = await call(operationId, given);
  const etag = answer.headers.get('etag');
  say([String(answer.status), etag && `ETag ${etag}`].filter(Boolean).join(', '));
  if (answer.body instanceof ReadableStream) for await (const part of answer.body) process.stdout.write(part);
  else if (answer.body instanceof Blob) process.stdout.write(new Uint8Array(await answer.body.arrayBuffer()));
  else if (answer.body !== undefined) print(answer.body);
};

/** @throws UsageError with the operations that begin alike, for a name that is misspelt. */
function suggestNames(operationId: string): void {
  if (Object.hasOwn(routes, operationId)) return;
  const begin = operationId.slice(0, 6).toLowerCase();
  const alike = Object.keys(routes).filter((name) => name.toLowerCase().startsWith(begin));
  if (alike.length > 0)
    throw new UsageError(`There is no operation ${operationId}. Names like it: ${alike.join(', ')}`);
}

function split(word: string): [string, string] {
  const [, name, value] = /^([\w-]+)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError('Give values as NAME=VALUE, such as: limit=5');
  return [name, value];
}

async function readBody(given: string | undefined): Promise<unknown> {
  if (given === undefined) return undefined;
  const text = given.startsWith('@') ? String(await readNamedFile(given.slice(1))) : given;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--body is not JSON.');
  }
}

/** What `attachFile` takes. */
async function formWith(path: string): Promise<FormData> {
  const form = new FormData();
  form.append('file', new Blob([await readNamedFile(path)]), basename(path));
  return form;
}

async function readNamedFile(name: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT' ? `There is no file ${name}.` : `The file ${name} cannot be read (${code}).`,
    );
  }
}
