import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasJobWords } from '../../src/operator/unmatched/job-words.ts';
import { jobHandlers } from '../../src/worker.ts';

const root = join(import.meta.dirname, '..', '..');
const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: withoutComments(readFileSync(join(root, path), 'utf8')) }));

/** Where a pattern occurs outside the places that may have it. */
function outside(places: RegExp, pattern: RegExp): string[] {
  return sources.filter(({ path, text }) => !places.test(path) && pattern.test(text)).map(({ path }) => path);
}

describe('the source code', () => {
  it('reads the environment only in platform/settings', () => {
    expect(outside(/^src\/platform\/settings\//, /process\.env/)).toEqual([]);
  });

  it('takes time and randomness from the platform', () => {
    expect(
      outside(/^src\/platform\//, /new Date\(\)|Date\.now\(|Math\.random|randomUUID|randomBytes/),
    ).toEqual([]);
  });

  it('calls fetch only in platform/outbound', () => {
    expect(outside(/^src\/platform\/outbound\//, /\bfetch\(/)).toEqual([]);
  });

  it('has comments that fit on a screen', () => {
    const files = globSync('src/**/*.ts', { cwd: root });
    const isLong = (line: string) => line.length > 150 && /^\s*(\*|\/\/|\/\*\*) /.test(line);
    const long = files.filter((path) => readFileSync(join(root, path), 'utf8').split('\n').some(isLong));
    expect(long).toEqual([]);
  });

  it('has one doc comment above each thing, not two', () => {
    const files = globSync('{src,test,bench,scripts,sdk/src}/**/*.ts', { cwd: root });
    const stacked = files.filter((path) => /\*\/\n[ \t]*\/\*\*/.test(readFileSync(join(root, path), 'utf8')));
    expect(files.length).toBeGreaterThan(100);
    expect(stacked).toEqual([]);
  });

  it('gives the labels of text fields one size', () => {
    const templates = globSync('src/**/*.njk', { cwd: root });
    const large = templates.filter((path) =>
      /label: \{ text: [^}]*size: "[ml]"/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(templates.length).toBeGreaterThan(100);
    expect(large).toEqual([]);
  });

  it('gives each kind of advisory lock its own seed, by name', () => {
    // Two kinds with one seed, or a hash without one, could be each other's lock.
    expect(outside(/^$/, /\bhashtext\(|hashtextextended\([^)]*, *\d/)).toEqual([]);
  });

  it('decides in one file which referrals stay hidden as sensitive', () => {
    const marks = /^src\/(library\/channels\/referral-marks-store|platform\/database\/tables)\.ts$/;
    expect(outside(marks, /sensitive_until/)).toEqual([]);
    expect(outside(/^$/, /sensitive_until/), 'the pattern still finds it').toHaveLength(2);
  });

  it('has a handler for every job, and a job for every handler', () => {
    const added = sources.flatMap(({ text }) =>
      [...text.matchAll(/add(?:Keyed)?Jobs?\(\s*\w+,\s*'([\w-]+)'/g)].map((match) => match[1]!),
    );
    const worker = readFileSync(join(root, 'src', 'worker.ts'), 'utf8');
    const scheduled = [...worker.matchAll(/\{\s*name: '([\w-]+)'/g)].map((match) => match[1]!);
    // An earlier version may have left jobs with these names in the queue.
    const formerNames = ['notice-looks', 'report-troubles', 'sweep', 'warn-of-ends'];
    const withoutWords = [...added, ...scheduled].filter((name) => !hasJobWords(name));
    expect(withoutWords, 'an operator reads what failed').toEqual([]);
    expect([...new Set([...added, ...scheduled, ...formerNames])].sort()).toEqual(
      Object.keys(jobHandlers({} as never)).sort(),
    );
  });

  it('leaves the private tables of the job queue alone', () => {
    const files = globSync('{src,test,bench,scripts}/**/*.ts', { cwd: root });
    const isPrivate = /graphile_worker\._private/;
    const found = files.filter((path) => isPrivate.test(readFileSync(join(root, path), 'utf8')));
    // This test makes the rows that an earlier version left there.
    expect(found).toEqual(['src/platform/jobs/schedule.test.ts']);
  });
});

describe('the tests', () => {
  /** Files about SQL itself; about what PostgreSQL alone can tell; or in which a statement has to fail. */
  const aboutSql =
    /^src\/platform\/|store\.test\.ts$|^test\/raw-sql\/|^test\/rules\/(growth|merge|migrations)\.test\.ts$/;
  const comparesWithPostgres = [
    'src/library/model/words.test.ts',
    'src/library/write/update-statistics.test.ts',
    'src/search/index/as-postgresql.test.ts',
  ];
  const breaksStatements = [
    'src/audit/chain.test.ts',
    'src/audit/signed.test.ts',
    'src/delivery/send/deliver-new.test.ts',
    'src/health/readiness.test.ts',
  ];

  it('read what was stored through helpers, without SQL', () => {
    const sql =
      /from '(kysely|pg)'|\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\b(pool|client)\.query\(/;
    const found = globSync('{src,test,sdk}/**/*.test.ts', { cwd: root })
      .filter((path) => sql.test(readFileSync(join(root, path), 'utf8')))
      .filter((path) => !aboutSql.test(path));
    expect(found.toSorted()).toEqual([...comparesWithPostgres, ...breaksStatements].toSorted());
  });
});

describe('the pages', () => {
  // “23 November 2026 at 9:30am” made a narrow column of four lines, and the row as tall.
  it('have short dates in tables', () => {
    const long = globSync('src/**/*.njk', { cwd: root }).flatMap((path) => {
      const tables = readFileSync(join(root, path), 'utf8').match(/<table.*?<\/table>/gs) ?? [];
      return tables
        .flatMap((table) => table.match(/\{\{[^}]*\| *(day|moment|calendarDay)\b[^}]*\}\}/g) ?? [])
        .map((found) => `${path}: ${found}`);
    });
    expect(long).toEqual([]);
  });

  // Without it, a macro of another file knows no “now”: /outbox/emails was a 500, and dates of this year kept their year.
  it('import macros that need the page’s time with its context', () => {
    const templates = globSync('src/**/*.njk', { cwd: root }).map((path) => ({
      path,
      text: readFileSync(join(root, path), 'utf8'),
    }));
    const needsNow = templates.filter(({ text }) =>
      (text.match(/\{% macro .*?\{% endmacro %\}/gs) ?? []).some(
        (macro) => macro.includes('(now)') && !/^[^%]*\bnow\b/.test(macro.slice(2)),
      ),
    );
    expect(needsNow.length).toBeGreaterThan(1);
    const without = needsNow.flatMap(({ path }) => {
      const name = path.split('/').at(-1)!;
      return templates.flatMap(({ path: importing, text }) =>
        (text.match(new RegExp(`\\{% (from|import) "[^"]*/${name}".*?%\\}`, 'g')) ?? [])
          .filter((line) => !line.includes('with context'))
          .map((line) => `${importing}: ${line}`),
      );
    });
    expect(without).toEqual([]);
  });

  it('show a form’s errors themselves, not through the browser', () => {
    const silent = globSync('src/**/*.njk', { cwd: root }).filter((path) => {
      const forms = readFileSync(join(root, path), 'utf8').matchAll(/<form method="post".*?<\/form>/gs);
      return [...forms].some(
        ([form]) => /type: "(email|url)"/.test(form) && !/^<form.* novalidate>/.test(form),
      );
    });
    expect(silent).toEqual([]);
  });

  it('say “email”, as NHS pages do', () => {
    const read = globSync(['src/**/*.{ts,njk}', 'docs/*.md', 'docs/problems/*.md', 'README.md'], {
      cwd: root,
    });
    expect(read.filter((path) => /\be-mail/i.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

describe('the stylesheets', () => {
  it('name only classes that some page has', () => {
    const read = (pattern: string) =>
      globSync(pattern, { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
    const pages = [...read('src/**/*.njk'), ...read('src/**/*.{ts,js}')].join('\n');
    // Such as `onward-map-{{ kind }}`.
    const begun = [...pages.matchAll(/(onward-[a-z-]+-)(?:\{\{|\$\{)/g)].map((match) => match[1]!);
    const named = new Set(
      read('src/platform/html/styles/*.css').flatMap((text) => text.match(/(?<=\.)onward-[a-z-]+/g) ?? []),
    );
    const isUsed = (name: string) =>
      new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(pages) ||
      begun.some((beginning) => name.startsWith(beginning));
    expect([...named].filter((name) => !isUsed(name))).toEqual([]);
    expect(named.size).toBeGreaterThan(10);
  });
});
