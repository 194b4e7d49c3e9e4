import { buffer } from 'node:stream/consumers';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import multipart from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { createLimitPerKey } from '../concurrency/limit-per-key.ts';
import {
  badRequest,
  type FieldError,
  Problem,
  tooLarge,
  wrongInput,
  wrongMediaType,
} from '../problem/index.ts';
import { requestCaller } from './access.ts';
import type { App } from './create-app.ts';
import { notKnown, pointerPart } from './errors/describe-errors.ts';
import { sendFileAdvice } from './errors/error-answers.ts';
import { compileValidator, findUnstorable } from './errors/validation.ts';

/** Registers routes that accept one file and a few fields as `multipart/form-data`. No other route accepts that type. */
export function installUploads(app: App, maxBytes: number, routes: (scope: App) => void): void {
  app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      // More than any route accepts, so that the answer can say what is too much.
      limits: { files: 2, fields: 10, parts: 12, headerPairs: 20, fileSize: maxBytes },
    });
    routes(scope.withTypeProvider<TypeBoxTypeProvider>() as App);
  });
}

/** A file as it arrives, and the fields sent before it. */
export type Upload = { name: string; fields: Record<string, string>; content: AsyncIterable<Uint8Array> };

type Parts = AsyncIterator<Multipart, undefined>;

/**
 * Opens the file of a request, to be read while it arrives. Reading throws `too-large`, or `bad-request` if the file is cut
 * off or followed by anything else, so that nothing is silently ignored.
 * @throws Problem `unsupported-media-type`; `bad-request` for no file, or a field that is not in `fieldNames`.
 */
export async function openUpload(
  request: FastifyRequest,
  fieldNames: readonly string[] = [],
): Promise<Upload> {
  if (!request.isMultipart()) throw new Problem(wrongMediaType, sendFileAdvice);
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
    if (errors.length === 0) return { name, fields, content: readToEnd(part.file, parts) };
    part.file.resume();
    throw wrongInput(badRequest, errors);
  }
  const missingFile = { pointer: '/file', message: 'is required' };
  if (!part) throw refusedParts([missingFile]);
  // After an unknown field the file may still follow. A file under another name counts as missing.
  throw refusedParts([...(part.type === 'file' ? [missingFile] : []), rejectPart(part, notKnown)]);
}

/** The parser cuts a file off at its limit and keeps reading, so that the sender gets an answer and not a broken connection. */
async function* readToEnd(file: MultipartFile['file'], parts: Parts): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (error) {
    throw asCutOff(error);
  }
  if (file.truncated) {
    // It was read to its limit.
    const maxMegabytes = file.bytesRead / 1024 / 1024;
    throw new Problem(tooLarge, `A file may have at most ${maxMegabytes} megabytes.`);
  }
  const more = await nextOf(parts);
  const isAnother = more?.type === 'file' && more.fieldname === 'file';
  if (more)
    throw refusedParts([rejectPart(more, isAnother ? 'must be one file: send each by itself' : notKnown)]);
}

async function nextOf(parts: Parts): Promise<Multipart | undefined> {
  try {
    return (await parts.next()).value;
  } catch (error) {
    throw asCutOff(error);
  }
}

/** The parser throws an error without a status for a form that ends in the middle. */
const asCutOff = (error: unknown) =>
  error instanceof Error && !('statusCode' in error)
    ? new Problem(badRequest, 'The form is incomplete.')
    : error;

const refusedParts = (errors: FieldError[]) =>
  new Problem(badRequest, 'Send the file in the field “file”.', { errors });

function rejectPart(part: Multipart, message: string): FieldError {
  // The rest is read and dropped: a sender that is still sending would not read the answer.
  if (part.type === 'file') part.file.resume();
  // The parser's types say that every part has a name, but some have none.
  const name: string | undefined = part.fieldname;
  return { pointer: `/${pointerPart(name ?? '')}`, message };
}

// One for the process, because it guards the memory of the process.
const limitUploads = createLimitPerKey(2);

/**
 * Reads the whole file of a request and passes it on. At most two files of one account are in memory at a time, since a
 * hundred take two gigabytes.
 * @throws Problem `unsupported-media-type`, `bad-request` if there is no file, `too-large`.
 */
export function withUpload<T>(
  request: FastifyRequest,
  use: (file: { name: string; content: Buffer; fields: Upload['fields'] }) => Promise<T>,
  fieldNames: readonly string[] = [],
): Promise<T> {
  // A body of another type was read and closed already, so that it would look like one that was cut off.
  if (!request.isMultipart()) throw new Problem(wrongMediaType, sendFileAdvice);
  return limitUploads(requestCaller(request)?.accountId ?? request.ip, async () => {
    // The sender may have gone while the request waited for its turn.
    if (request.raw.destroyed) throw new Problem(badRequest, 'The request was cut off.');
    const { name, content, fields } = await openUpload(request, fieldNames);
    return use({ name, content: await buffer(content), fields });
  });
}

const fileBody = Type.Object(
  { file: Type.Unsafe<string>({ type: 'string', format: 'binary' }) },
  { description: 'The file.' },
);

/** The options of a route that accepts a file. The body is described here and read by the handler. */
export const fileRouteOptions = {
  schema: { consumes: ['multipart/form-data'], body: fileBody },
  validatorCompiler: ((part) =>
    part.httpPart === 'body' ? () => true : compileValidator(part)) as FastifySchemaCompiler<TSchema>,
};
