import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest, Problem, tooLarge, wrongMediaType } from '../problem/index.ts';

const type = 'multipart/form-data';
const megabyte = 1024 * 1024;

/** A form with a file: its body stays a stream, which `withUpload` reads. Other routes take no such form. */
export function takeFiles(app: FastifyInstance): void {
  app.addContentTypeParser(type, (request, _payload, done) => {
    if (request.routeOptions.config.takesFiles) return done(null, undefined);
    done(new Problem(wrongMediaType, 'This form takes no file.'));
  });
}

export type Upload = { name: string; content: AsyncIterable<Uint8Array> };

/**
 * Reads a form with one file. The fields must stand before the file, as they do in our forms; `use` gets both, and must
 * read the file to its end. Nothing is held in memory but what is at hand.
 * @throws Problem `too-large`, or `bad-request` where it is no such form.
 */
export async function withUpload<T>(
  request: FastifyRequest,
  mostMegabytes: number,
  use: (fields: Record<string, string>, file: Upload) => Promise<T>,
): Promise<T> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith(type)) throw new Problem(badRequest, 'Send the form of the page with a file.');
  // Loaded when the first file is sent: no start waits for it.
  const { Busboy } = await import('@fastify/busboy');
  const fields: Record<string, string> = {};
  let used: Promise<T> | undefined;
  const form = new Busboy({
    headers: { ...request.headers, 'content-type': contentType },
    limits: { files: 1, fields: 20, fieldSize: 10_000, fileSize: mostMegabytes * megabyte },
  });
  form.on('field', (name, value) => {
    fields[name] = value;
  });
  form.on('file', (_field, content, name) => {
    used = use(fields, { name: name ?? '', content: upToLimit(content, mostMegabytes) });
    // What is wrong with it is told below; the rest of the form must not wait for it.
    used.catch(() => content.resume());
  });
  await pipeline(request.raw, form).catch(() => {
    throw new Problem(badRequest, 'The form did not arrive whole.');
  });
  if (!used) throw new Problem(badRequest, 'Send the form of the page with a file.');
  return used;
}

/** The parser cuts a file off at its limit and reads on, so that the sender gets an answer and not a broken line. */
async function* upToLimit(
  content: AsyncIterable<Uint8Array> & { truncated?: boolean },
  mostMegabytes: number,
): AsyncGenerator<Uint8Array> {
  yield* content;
  if (content.truncated) throw new Problem(tooLarge, `A file may have ${mostMegabytes} megabytes at most.`);
}
