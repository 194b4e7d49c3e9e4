import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type { App } from '../../src/platform/http/index.ts';
import type { SiteSecrets } from '../../src/platform/secrets/index.ts';

/**
 * Values that are hashed for these purposes are not secrets. They may be stored as they are. The secret of an answer link is one, but a
 * test site's outbox has it in the captured email; answer-referral.test.ts looks for it elsewhere.
 */
const notSecret =
  /^(patient|idempotent|site|audit|network|address|throttle|delivery confirmation|writer of a form|answer link|stored answer link|link of person page)/;
/** Anything shorter (a code of six digits) would be found by chance. */
const minLength = 12;

export type SecretWatch = {
  /** The same secrets, which notes everything that is hashed or sealed. */
  secrets: SiteSecrets;
  /** From here on the app's refusals are kept, and what is sent to it as a password. */
  listen(app: App): void;
  /** @throws when a secret of this test is in its log, in a refusal, or readable in its database. */
  search(db: Db, logLines: readonly string[]): Promise<void>;
};

/**
 * Notices every secret that a test makes or sends: tokens, session ids, the secrets of links, passwords. When the test
 * is over they are looked for wherever none may be.
 */
export function watchSecrets(secrets: SiteSecrets): SecretWatch {
  const seen = new Set<string>();
  const refusals: string[] = [];
  const note = (purpose: string, text: string) => {
    if (!notSecret.test(purpose) && text.length >= minLength) seen.add(text);
    return text;
  };
  return {
    secrets: {
      ...secrets,
      hash: (purpose, text) => secrets.hash(purpose, note(purpose, text)),
      hashText: (purpose, text) => secrets.hashText(purpose, note(purpose, text)),
      seal: (purpose, context, text) => secrets.seal(purpose, context, note(purpose, text)),
    },
    listen(app) {
      const inject = app.inject.bind(app) as (
        options: unknown,
      ) => Promise<{ statusCode: number; body: string }>;
      app.inject = (async (options: { payload?: unknown; body?: unknown }) => {
        for (const password of passwordsIn(options?.payload ?? options?.body)) note('password', password);
        const answer = await inject(options);
        if (answer.statusCode >= 400) refusals.push(answer.body);
        return answer;
      }) as never;
    },
    async search(db, logLines) {
      const places = {
        'the log': logLines.join('\n'),
        'a refusal': refusals.join('\n'),
        'the database': await dumpDatabase(db),
      };
      for (const [place, text] of Object.entries(places)) {
        for (const secret of seen) {
          const forms = [secret, JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('hex')];
          if (forms.some((form) => text.includes(form)))
            throw new Error(`${place} holds a secret of this test: ${secret.slice(0, 7)}…`);
        }
      }
    },
  };
}

function passwordsIn(payload: unknown): string[] {
  // A file has no fields, but would have an entry for each of its octets.
  if (Buffer.isBuffer(payload)) return [];
  // A form of a million fields takes seconds to read.
  if (typeof payload === 'string' && !payload.includes('password')) return [];
  const fields =
    typeof payload === 'string' || payload instanceof URLSearchParams
      ? [...new URLSearchParams(payload)]
      : Object.entries((payload ?? {}) as Record<string, unknown>);
  return fields.flatMap(([name, value]) =>
    /password/.test(name) && typeof value === 'string' ? [value] : [],
  );
}

/** Every row of every table, as text; bytes are in hexadecimal. The files of most tables are empty in most tests. */
export async function dumpDatabase(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from pg_tables, format('%I.%I', schemaname, tablename) as name
    where schemaname in ('public', 'graphile_worker') and pg_relation_size(name) > 0`.execute(db);
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`
      select string_agg(t::text, E'\n') as text from ${sql.raw(name)} t`.execute(db);
    parts.push(rows[0]?.text ?? '');
  }
  return parts.join('\n');
}
