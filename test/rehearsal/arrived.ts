import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { rehearsalFixture } from './fixture.ts';

type Fixture = Awaited<ReturnType<typeof rehearsalFixture>>;

/** What arrived at the receivers: a hash of each copy, by the message's id. */
export async function arrivedAt(fixture: Fixture): Promise<Map<string, string[]>> {
  const arrived = new Map<string, string[]>();
  const add = (id: string, copy: string | Buffer) => {
    const hash = createHash('sha256').update(copy).digest('hex');
    arrived.set(id, [...(arrived.get(id) ?? []), hash]);
  };
  for (const { raw } of fixture.mail.received) {
    const [, id] = /^Message-ID: <([0-9a-f-]{36})@/im.exec(raw) ?? [];
    // The site's own mails have no letter in them.
    if (id && raw.includes('application/pdf')) add(id, raw);
  }
  for (const { headers, body } of fixture.system.received) add(String(headers['webhook-id']), body);
  for (const { headers, chunks } of fixture.exchange.exchange.messages)
    add(headers['mex-localid']!, Buffer.concat(chunks));
  for (const name of await readdir(fixture.letters))
    add(name.replace(/\.pdf$/, ''), await readFile(join(fixture.letters, name)));
  return arrived;
}
