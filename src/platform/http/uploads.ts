import { buffer } from 'node:stream/consumers';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { badRequest, Problem, tooLarge, wrongMediaType } from '../problem/index.ts';
import type { App } from './create-app.ts';
import { notKnown, pointerPart } from './describe-errors.ts';
import { sendFile } from './error-answers.ts';
import { compileValidator } from './validation.ts';

/** Routes that take a file, and few fields or none, as `multipart/form-data`; no other route understands that. */
export function installUploads(
  app: App,
  largestBytes: number,
  routes: (scope: App) => void,
  fields = 0,
): void {
  app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { files: 1, fields, parts: fields + 2, headerPairs: 20, fileSize: largestBytes },
    });
    routes(scope.withTypeProvider<TypeBoxTypeProvider>() as App);
  });
}

/** A file as it arrives, and the fields that stood before it. */
export type Upload = { name: string; fields: Record<string, string>; content: AsyncIterable<Uint8Array> };

/**
 * The file of a request, to be read to its end while it arrives: that ends with `too-large` where it is.
 * @throws Problem `unsupported-media-type`, `bad-request` where there is none.
 */
export async function openUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw new Problem(wrongMediaType, sendFile);
  const part = await request.file();
  if (part?.fieldname !== 'file') {
    const unknown = part && { pointer: `/${pointerPart(part.fieldname)}`, message: notKnown };
    const errors = [{ pointer: '/file', message: 'is required' }, ...(unknown ? [unknown] : [])];
    throw new Problem(badRequest, 'Send the file in the field “file”.', { errors });
  }
  const fields: Record<string, string> = {};
  for (const field of Object.values(part.fields).flat())
    if (field?.type === 'field') fields[field.fieldname] = String(field.value);
  return { name: part.filename ?? '', fields, content: upToLimit(part.file) };
}

/** The parser cuts a file off at its limit and reads on, so that the sender gets an answer and not a broken line. */
async function* upToLimit(file: MultipartFile['file']): AsyncGenerator<Uint8Array> {
  yield* file;
  if (file.truncated) throw new Problem(tooLarge, 'The file is larger than is taken here.');
}

/**
 * The file of a request, whole.
 * @throws Problem `unsupported-media-type`, `bad-request` where there is none, `too-large`.
 */
export async function readUpload(request: FastifyRequest): Promise<{ name: string; content: Buffer }> {
  const { name, content } = await openUpload(request);
  return { name, content: await buffer(content) };
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
