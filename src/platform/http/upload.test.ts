import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { withUpload } from './upload.ts';

const boundary = 'xyz';
const part = (name: string, content: string, more = '') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const file = (content: string) => part('file', content, '; filename="weekly.json"');
const end = `--${boundary}--\r\n`;

const read = (body: string, type = `multipart/form-data; boundary=${boundary}`) => {
  const request = { headers: { 'content-type': type }, raw: Readable.from([Buffer.from(body)]) };
  return withUpload(request as never, 1, async (fields, { name, content }) => ({
    fields,
    name,
    content: await text(content),
  }));
};

test('a form gives its fields and its file', async () => {
  expect(await read(part('source', 'Council') + file('[]') + end)).toEqual({
    fields: { source: 'Council' },
    name: 'weekly.json',
    content: '[]',
  });
});

test.each([
  ['too large', file('x'.repeat(1024 * 1024 + 1)) + end, 'too-large'],
  ['cut off', file('[]'), 'bad-request'],
  ['without a file', part('source', 'Council') + end, 'bad-request'],
  ['no form at all', 'hello', 'bad-request'],
])('a form that is %s is refused', async (_name, body, type) => {
  await expect(read(body)).rejects.toMatchObject({ kind: { type } });
  await expect(read(body, 'text/plain')).rejects.toMatchObject({ kind: { type: 'bad-request' } });
});
