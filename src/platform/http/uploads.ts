import multipart from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { badRequest, Problem, tooLarge, wrongMediaType } from '../problem/index.ts';
import type { App } from './create-app.ts';
import { compileValidator } from './validation.ts';

/** Routes that take a file, and nothing else, as `multipart/form-data`; no other route understands that. */
export function installUploads(app: App, largestBytes: number, routes: (scope: App) => void): void {
  app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { files: 1, fields: 0, parts: 2, headerPairs: 20, fileSize: largestBytes },
    });
    routes(scope.withTypeProvider<TypeBoxTypeProvider>() as App);
  });
}

/**
 * The file of a request.
 * @throws Problem `unsupported-media-type`, `bad-request` where there is none, `too-large`.
 */
export async function readUpload(request: FastifyRequest): Promise<{ name: string; content: Buffer }> {
  if (!request.isMultipart())
    throw new Problem(wrongMediaType, 'Send the file as multipart/form-data, in the field “file”.');
  const file = await request.file();
  if (!file) {
    const errors = [{ pointer: '/file', message: 'is required' }];
    throw new Problem(badRequest, 'Send the file in the field “file”.', { errors });
  }
  const content = await file.toBuffer();
  if (file.file.truncated) throw new Problem(tooLarge, 'The file is larger than is taken here.');
  return { name: file.filename ?? '', content };
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
