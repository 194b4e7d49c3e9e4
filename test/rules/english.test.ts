import { globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Words that made sentences hard to read. Comments and papers are for developers and operators of many countries. */
const phrases = [
  'whoever',
  'of which',
  'of whom',
  'so many',
  'anew',
  'for ever',
  'as it stands',
  'came to nothing',
  'comes to nothing',
  'see to',
  'seen to',
  'in vain',
  'but for',
  'for want of',
  'as ever',
  'works off',
  'worked off',
  'reckon',
  'reckons',
  'reckoned',
];
/** Between two words there may be the end of a line, and the marks that begin the next comment line. */
const gap = String.raw`\s+(?:(?:\*|//|--|#)\s+)?`;
const hardToRead = new RegExp(String.raw`\b(?:${phrases.join('|').replaceAll(' ', gap)})\b`, 'gi');

const codeComments = /(?<=^|\s)\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=\s)\/\/ .*/gm;
const dashComments = /(?:^[ \t]*--.*\n?)+|(?<=\s)--.*$/gm;
const comments: Readonly<Record<string, RegExp>> = {
  '.ts': codeComments,
  '.js': codeComments,
  '.cjs': codeComments,
  '.css': codeComments,
  '.sql': dashComments,
  '.lua': dashComments,
  '.njk': /\{#.*?#\}/gs,
  '.md': /^.*$/gs,
};
const hashComments = /(?:^[ \t]*#.*\n?)+|(?<=\s)# .*$/gm;

/** The hard phrases in the comments of a file, or in the whole of a paper. Names in backticks do not count. */
function findHardPhrases(path: string, text: string): string[] {
  return [...text.matchAll(comments[extname(path)] ?? hashComments)].flatMap((comment) => {
    const words = comment[0].replaceAll(/`[^`\n]*`/g, (name) => ' '.repeat(name.length));
    return [...words.matchAll(hardToRead)].map((found) => {
      const line = text.slice(0, comment.index + found.index).split('\n').length;
      return `${path}:${line}: ${found[0]}`;
    });
  });
}

const files = globSync(
  [
    '{src,test,bench,scripts,migrations}/**/*.{ts,js,cjs,css,sql,lua,njk}',
    'sdk/{src,test}/**/*.ts',
    'sdk/README.md',
    'deploy/**/*',
    'docs/**/*.md',
    '{README,ARCHITECTURE,CONTRIBUTING}.md',
  ],
  // The glossary lists words that we do not use; what is generated repeats what is elsewhere.
  { cwd: root, exclude: ['docs/glossary.md', 'sdk/src/generated/**'] },
).filter((path) => statSync(join(root, path)).isFile());

describe('comments and papers', () => {
  it('use none of the phrases that are hard to read', () => {
    const found = files.flatMap((path) => findHardPhrases(path, readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });

  it('are searched across lines, and only they are', () => {
    const text =
      "/**\n * The list of\n * which `whoever` is a part.\n */\nconst name = 'whoever';\n// Anew.\n";
    expect(findHardPhrases('a.ts', text)).toEqual(['a.ts:2: of\n * which', 'a.ts:6: Anew']);
    expect(findHardPhrases('a.sql', '-- A table\n-- seen to.\n')).toEqual(['a.sql:2: seen to']);
    expect(findHardPhrases('a.md', 'One\nof whom nobody knows\n')).toEqual(['a.md:2: of whom']);
    expect(findHardPhrases('a.yml', 'key: of which # in vain\n')).toEqual(['a.yml:1: in vain']);
  });
});
