import { buffer } from 'node:stream/consumers';
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { fewAtATime } from '../few-at-a-time.ts';
import { badRequest, type FieldError, Problem, tooLarge, wrongMediaType } from '../problem/index.ts';
import { admitted } from './access.ts';
import type { App } from './create-app.ts';
import { notKnown, pointerPart } from './describe-errors.ts';
import { sendFile } from './error-answers.ts';
import { findUnstorable } from './find-unstorable.ts';
import { compileValidator } from './validation.ts';

/** Routes that take a file, and few fields or none, as `multipart/form-data`; no other route understands that. */
export function installUploads(app: App, largestBytes: number, routes: (scope: App) => void): void {
  app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      // More than any route takes, so that what is too much can be named.
      limits: { files: 2, fields: 10, parts: 12, headerPairs: 20, fileSize: largestBytes },
    });
    routes(scope.withTypeProvider<TypeBoxTypeProvider>() as App);
  });
}

/** A file as it arrives, and the fields that stood before it. */
export type Upload = { name: string; fields: Record<string, string>; content: AsyncIterable<Uint8Array> };

type Parts = AsyncIterator<Multipart, undefined>;

/**
 * The file of a request, to be read to its end while it arrives: that ends with `too-large` where it is, and with
 * `bad-request` where it is cut off or something comes after it, so that nothing sent is left out without a word.
 * @throws Problem `unsupported-media-type`, `bad-request` where there is none, or a field that is not named here.
 */
export async function openUpload(
  request: FastifyRequest,
  fieldNames: readonly string[] = [],
): Promise<Upload> {
  if (!request.isMultipart()) throw new Problem(wrongMediaType, sendFile);
  const parts: Parts = request.parts();
  const fields: Record<string, string> = {};
  let part = await nextOf(parts);
  while (part?.type === 'field' && fieldNames.includes(part.fieldname)) {
    fields[part.fieldname] = String(part.value);
    part = await nextOf(parts);
  }
  if (part?.type === 'file' && part.fieldname === 'file') {
    const errors = findUnstorable(fields, '');
    // Browsers send no NUL, and PostgreSQL stores none.
    const name = (part.filename ?? '').replaceAll('\0', '');
    if (errors.length === 0) return { name, fields, content: toItsEnd(part.file, parts) };
    part.file.resume();
    throw new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
  }
  const isRequired = { pointer: '/file', message: 'is required' };
  if (!part) throw notTaken([isRequired]);
  // After a field the file may still be to come; a file by another name is meant for it.
  throw notTaken([...(part.type === 'file' ? [isRequired] : []), errorOf(part, notKnown)]);
}

/** The parser cuts a file off at its limit and reads on, so that the sender gets an answer and not a broken line. */
async function* toItsEnd(file: MultipartFile['file'], parts: Parts): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (error) {
    throw asCutOff(error);
  }
  const most = file.bytesRead / 1024 / 1024;
  if (file.truncated) throw new Problem(tooLarge, `A file may have at most ${most} megabytes.`);
  const more = await nextOf(parts);
  const isAnother = more?.type === 'file' && more.fieldname === 'file';
  if (more) throw notTaken([errorOf(more, isAnother ? 'must be one file: send each by itself' : notKnown)]);
}

async function nextOf(parts: Parts): Promise<Multipart | undefined> {
  try {
    return (await parts.next()).value;
  } catch (error) {
    throw asCutOff(error);
  }
}

/** What the parser has no status for: a form that ends in its middle. */
const asCutOff = (error: unknown) =>
  error instanceof Error && !('statusCode' in error)
    ? new Problem(badRequest, 'The form is not whole: it ends in the middle.')
    : error;

const notTaken = (errors: FieldError[]) =>
  new Problem(badRequest, 'Send the file in the field “file”.', { errors });

function errorOf(part: Multipart, message: string): FieldError {
  // Read to its end unseen, for else its sender would not hear the answer.
  if (part.type === 'file') part.file.resume();
  // Also where it has none: the parser's types say that each has.
  const name: string | undefined = part.fieldname;
  return { pointer: `/${pointerPart(name ?? '')}`, message };
}

const inItsTurn = fewAtATime(2);

/**
 * Does something with the file of a request, whole. Of one account two are in memory at a time, and the others are not read
 * yet: a hundred that came at once took two gigabytes.
 * @throws Problem `unsupported-media-type`, `bad-request` where there is none, `too-large`.
 */
export function withUpload<T>(
  request: FastifyRequest,
  use: (file: { name: string; content: Buffer }) => Promise<T>,
): Promise<T> {
  return inItsTurn(admitted(request)?.accountId ?? request.ip, async () => {
    // Of somebody who went away while they waited, nothing more would come, not even an end.
    if (request.raw.destroyed) throw new Problem(badRequest, 'The request was cut off.');
    const { name, content } = await openUpload(request);
    return use({ name, content: await buffer(content) });
  });
}

const fileBody = Type.Object(
  { file: Type.Unsafe<string>({ type: 'string', format: 'binary' }) },
  { description: 'The file.' },
);

/** The options of a route that takes a file: its body is described, and read by the handler alone. */
export const takesFile = {
  schema: { consumes: ['multipart/form-data'], body: fileBody },
  validatorCompiler: ((part) =>
    part.httpPart === 'body'
      ? () => true
      : compileValidator(part as never)) as FastifySchemaCompiler<TSchema>,
};
