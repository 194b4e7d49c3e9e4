import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accessTokenMinutes } from '../../src/tokens/index.ts';

const root = join(import.meta.dirname, '..', '..');
const papers = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'sdk/*.md'], { cwd: root });
const textOf = (paper: string) => readFileSync(join(root, paper), 'utf8');
const decisions = globSync('docs/decisions/*.md', { cwd: root }).map((path) => path.split('/').at(-1)!);

/** Whether a path that a paper names is there: from the top, or from `src/` as rooms are written. */
const isThere = (path: string) => existsSync(join(root, path)) || existsSync(join(root, 'src', path));

describe('the papers', () => {
  it.each(papers)('%s links to what is there', (paper) => {
    const links = [...textOf(paper).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!);
    const local = links.filter((link) => !/^(https?:|mailto:|\/)/.test(link));
    expect(local.filter((link) => !existsSync(join(root, dirname(paper), link)))).toEqual([]);
  });

  it.each([
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/security.md',
    'docs/clinical-safety.md',
    'docs/assurance/dpia.md',
    'docs/assurance/dtac.md',
    'docs/assurance/safety-case.md',
  ])('%s names files that are there', (paper) => {
    const named = [...textOf(paper).matchAll(/`((?:[a-z-]+\/)+(?:[\w.-]+\.(?:ts|sql|cjs|md|json))?)`/g)];
    const paths = named.map(([, path]) => path!).filter((path) => !path.startsWith('node_modules'));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it('name options that the code knows', () => {
    const options = papers.flatMap((paper) =>
      [...textOf(paper).matchAll(/`\{ (\w+): true \}`/g)].map(([, name]) => `${paper}: ${name}`),
    );
    const code = globSync('src/**/*.ts', { cwd: root }).map(textOf).join('\n');
    expect(options.filter((each) => !new RegExp(`\\b${each.split(': ')[1]}\\??:`).test(code))).toEqual([]);
    expect(options).toContain('CONTRIBUTING.md: needsRecentSignIn');
  });

  it('number each decision once, twenty at most', () => {
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted());
    expect(numbers.length).toBeLessThanOrEqual(20);
  });

  it.each(decisions)('decision %s has fewer than 300 words', (name) => {
    expect(textOf(`docs/decisions/${name}`).trim().split(/\s+/).length).toBeLessThan(300);
  });
});

describe('what a person reads of access tokens', () => {
  /** Descriptions in the API document and pages use the constant itself. Somebody who changes it learns here which papers to change. */
  it('says how long one works', () => {
    const read = globSync(
      [
        '*.md',
        'docs/**/*.md',
        'sdk/*.md',
        'sdk/src/*.ts',
        'sdk/python/*.{md,py}',
        'examples/*/{src/*.js,*.md}',
      ],
      { cwd: root },
    );
    const inWords = new RegExp(`\\b${accessTokenMinutes} minutes\\b`);
    const saying = read.filter(
      (path) => !/^(ARCHITECTURE|CHANGELOG)/.test(path) && inWords.test(textOf(path)),
    );
    expect(saying.toSorted()).toEqual([
      'docs/assurance/dpia.md',
      'docs/guide/keys.md',
      'docs/guide/limits.md',
      'docs/guide/test-site.md',
      'docs/guide/users-sign-in.md',
      'docs/performance.md',
      'docs/problems/invalid-token.md',
      'docs/problems/too-many-requests.md',
      'docs/security.md',
      'examples/practice/src/app.js',
      'sdk/README.md',
      'sdk/python/README.md',
      'sdk/python/onward.py',
      'sdk/src/api-login.ts',
    ]);
  });
});

describe('comments', () => {
  it('name papers that are there', () => {
    const sources = globSync(['{src,test,sdk,bench,scripts,migrations}/**/*.{ts,sql,njk}'], { cwd: root });
    const names = new Set(papers.map((paper) => paper.split('/').at(-1)!));
    const named = sources.flatMap((path) =>
      [...textOf(path).matchAll(/^\s*(?:\/\/|\/?\*|--|\{#)(.*)$/gm)].flatMap(([, comment]) =>
        [...comment!.replace(/https?:\S+/g, '').matchAll(/[\w-]+\.md\b/g)].map(
          ([name]) => `${path}: ${name}`,
        ),
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((each) => !names.has(each.split(': ')[1]!))).toEqual([]);
  });

  /** A test that was renamed would otherwise leave a comment that leads nowhere. */
  it('name test files that are there', () => {
    const sources = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root });
    const names = new Set(
      globSync(['{src,test,sdk,bench}/**/*.test.ts'], { cwd: root }).map((path) => path.split('/').at(-1)!),
    );
    const named = sources.flatMap((path) =>
      [...textOf(path).matchAll(/(?:\/\/|\*).*?([\w.-]+\.test\.ts)/g)].map(([, name]) => `${path}: ${name}`),
    );
    expect(named.filter((each) => !names.has(each.split(': ')[1]!))).toEqual([]);
  });
});
