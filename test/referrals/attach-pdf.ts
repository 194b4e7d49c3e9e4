import { expect } from 'vitest';
import type { TestApp } from '../app/make-app.ts';

/** Attaches a PDF of this name by the API. @returns its id */
export async function attachPdf(
  { app }: Pick<TestApp, 'app'>,
  { headers }: { headers: Record<string, string> },
  referralId: string,
  name: string,
): Promise<string> {
  const head = `--edge\r\ncontent-disposition: form-data; name="file"; filename="${name}.pdf"\r\n\r\n`;
  const answer = await app.inject({
    method: 'POST',
    url: `/api/referrals/${referralId}/attachments`,
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=edge' },
    payload: `${head}%PDF-1.7 ${name}\r\n--edge--\r\n`,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id as string;
}
