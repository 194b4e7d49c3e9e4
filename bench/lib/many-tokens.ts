import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { accessTokenLifetimeMs } from '../../src/tokens/model/access-tokens.ts';
import { newToken, siteTag } from '../../src/tokens/model/token.ts';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { withPlatformOf } from './platform-of.ts';

const batchSize = 10_000;

/**
 * Adds this many live access tokens to a site's database, in the site's own form.
 * @returns a file with one token in each line.
 */
export function addManyTokens(site: SiteProcess, email: string, count: number): Promise<string> {
  return withPlatformOf(site.env, async ({ db, secrets, clock }) => {
    const tag = siteTag(secrets);
    const tokens = Array.from({ length: count }, () => newToken('access', tag));
    const now = clock.now();
    const validTo = new Date(now.getTime() + accessTokenLifetimeMs);
    for (let from = 0; from < count; from += batchSize) {
      const hashes = tokens.slice(from, from + batchSize).map((text) => secrets.hash('access token', text));
      await sql`
        insert into access_tokens (hash, account_id, key_epoch, source, issued_at, valid_to)
        select hash, id, key_epoch, 'refresh', ${now}, ${validTo}
        from accounts, unnest(${hashes}::bytea[]) hash where email = ${email}`.execute(db);
    }
    await sql`analyze access_tokens`.execute(db);
    const file = join(site.dataDir, 'tokens.txt');
    await writeFile(file, `${tokens.join('\n')}\n`);
    return file;
  });
}
