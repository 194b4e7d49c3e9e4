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
const hardToRead = new RegExp(
  String.raw`(?<![\w-])(?:${phrases.join('|').replaceAll(' ', gap)})(?![\w-])`,
  'gi',
);

/**
 * “Who opens the post must not ring”: a person who is no noun makes a reader go back to the beginning. “The clerk who …” does not. A label
 * such as “Who is told next” has no second verb and is fine.
 */
const personWithoutNoun =
  /(?:^|[.:;]|\/\*\*|\*|\/\/)\s+(?:Only )?[Ww]ho [a-z]+s\b[^.:;?]*?\b(?:must|would|cannot|has to|has no|has nothing|is seldom|is asked|gives|opens|reads|rings)\b/gm;

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
    // A migration that was pushed does not change any more.
    const isOwn = extname(path) !== '.md' && !path.startsWith('migrations/');
    return [...words.matchAll(hardToRead), ...(isOwn ? words.matchAll(personWithoutNoun) : [])].map(
      (found) => {
        const line = text.slice(0, comment.index + found.index).split('\n').length;
        return `${path}:${line}: ${found[0]}`;
      },
    );
  });
}

/** The hard phrases in the texts of a file: in string literals, titles of tests, pages and emails. Comments are left out. */
function findHardTexts(path: string, text: string): string[] {
  const texts = text.replaceAll(comments[extname(path)]!, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  return [...texts.matchAll(hardToRead)].map(
    (found) => `${path}:${text.slice(0, found.index).split('\n').length}: ${found[0]}`,
  );
}

const files = globSync(
  [
    '{src,test,bench,scripts,migrations}/**/*.{ts,js,cjs,css,sql,lua,njk}',
    'sdk/{src,test}/**/*.ts',
    'sdk/README.md',
    'deploy/**/*',
    'docs/**/*.md',
    '{README,ARCHITECTURE,CONTRIBUTING,CHANGELOG}.md',
  ],
  // The glossary lists words that we do not use; what is generated repeats what is elsewhere.
  { cwd: root, exclude: ['docs/glossary.md', 'sdk/src/generated/**'] },
).filter((path) => statSync(join(root, path)).isFile());

/** What pages and emails once said, and what says it better. They must not come back in a template, a text or a test. */
const wordsOnPages: Readonly<Record<string, string>> = {
  'Look among unwanted mail': 'Check your spam or junk folder',
  'Take off the list': 'Remove',
  'Save on a list': 'Add to a list',
  'Begin the list': 'Create list',
  'There is none yet': 'No lists yet',
  'Keep this list': 'Manage this list',
  'Go on with this draft': 'Continue',
  'Throw the draft away': 'Delete draft',
  'thrown away': 'deleted, discarded',
  'threw it away': 'deleted it',
  'What the carer is to the person': 'Relationship to the person',
  'What came of it?': 'Outcome',
  'what came of it for the person': 'what changed for the person',
  'What you measured': 'Outcome scores',
  'What it is told of': 'Events',
  'What is erased next': 'Due for deletion',
  'Made in error': 'Sent by mistake',
  'Not completed': 'Closed, not completed',
  'Ended otherwise': 'Closed for another reason',
  'Why do you reject': 'Why are you declining?',
  'Why do you cancel': 'Why are you cancelling?',
  'Reject the referral': 'Decline the referral',
  'End without completing': 'Close without completing',
  'Withdraw as made in error': 'Mark as sent by mistake',
  'When may there be a place': 'When do you expect a place?',
  'Both sides keep what is written': 'Both organisations can see this message',
  'whose place it takes': 'it replaces',
  'takes its place': 'replaces it',
  'whoever made the referral': 'the referrer',
  'Is it right?': 'Up to date?',
  'What the entry has besides': 'Other details are not changed',
  'second times are for after a break': 'Use the second pair if it closes for lunch',
  'May sign in': 'Can sign in',
  'is not what you typed': 'is incorrect',
  'cannot be given away by mistake': 'cannot be phished',
  'Here you can make a stolen': 'Limit where your refresh token works',
  'shown this once': 'shown only once',
  'nobody needs to ask after it': 'Confirm that you received it',
  'has it before them': 'can see it',
  'does not take that method': 'Method not allowed here',
  'Has room': 'Has places',
  'No room': 'Full',
};

/** The old words that a file still has, with what says it better. */
function findOldWords(path: string, text: string): string[] {
  return Object.entries(wordsOnPages).flatMap(([old, better]) => {
    const at = text.indexOf(old);
    return at === -1 ? [] : [`${path}:${text.slice(0, at).split('\n').length}: ${old} → ${better}`];
  });
}

describe('pages, emails and tests', () => {
  it('use none of the words that were replaced by plainer ones', () => {
    const found = files
      .filter((path) => /^(src|test)\//.test(path) && !path.endsWith('english.test.ts'))
      .flatMap((path) => findOldWords(path, readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });

  it('would be found in texts and titles', () => {
    expect(findOldWords('a.njk', 'One\n<h2>What came of it?</h2>')).toEqual([
      'a.njk:2: What came of it? → Outcome',
    ]);
    expect(findOldWords('a.test.ts', "it('says Made in error')")).toHaveLength(1);
  });
});

describe('titles of tests', () => {
  /** A list of failures, and the safety paper, show the title alone: “of nothing changes nothing” tells nobody anything. */
  it('begin with the guarantee, not in the middle of a sentence', () => {
    const title =
      /\b(?:it|test)(?:\.\w+(?:\([^)]*\))?)*\(\s*['`]((?:that|of|with|to|by|whose|which|because|but|from)\b[^'`]*)/g;
    const tests = files.filter((path) => path.endsWith('.test.ts'));
    const halves = tests.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(title)].map(([, half]) => `${path}: ${half}`),
    );
    expect(tests.length).toBeGreaterThan(100);
    expect(halves).toEqual([]);
  });
});

describe('titles of tests, which lists of failures show', () => {
  it('have 60 characters at most', () => {
    const title =
      /(?:\b(?:it|test)(?:\.\w+)*|[\])]\))\(\s*(['`])((?:\\.|(?!\1)[^\\\n])*)\1,\s*(?:async )?\(/g;
    const tests = files.filter((path) => path.endsWith('.test.ts'));
    const titles = tests.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(title)].map(([, , text]) => ({
        path,
        text: text!,
      })),
    );
    expect(titles.length).toBeGreaterThan(2000);
    expect(titles.filter(({ text }) => text.replaceAll(/\$\{[^}]*\}/g, '…').length > 60)).toEqual([]);
  });
});

describe('texts in code and templates', () => {
  it('use none of the phrases that are hard to read', () => {
    const found = files
      .filter((path) => /\.(ts|njk)$/.test(path) && !path.endsWith('english.test.ts'))
      .flatMap((path) => findHardTexts(path, readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });

  it('are searched outside comments', () => {
    expect(findHardTexts('a.ts', "// Anew.\nconst text = 'It came to nothing.';\n")).toEqual([
      'a.ts:2: came to nothing',
    ]);
    expect(findHardTexts('a.ts', "const code = 'not-signed-in-anew';")).toEqual([]);
    expect(findHardTexts('a.njk', '{# anew #}<p>Ask whoever\nsent it</p>')).toEqual(['a.njk:1: whoever']);
  });
});

describe('comments and papers', () => {
  it('use none of the phrases that are hard to read', () => {
    const found = files.flatMap((path) => findHardPhrases(path, readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });

  it('are searched across lines, and only they are', () => {
    const text =
      "/**\n * The list of\n * which `whoever` is a part.\n */\nconst name = 'whoever';\n// Anew.\n";
    expect(findHardPhrases('a.ts', text)).toEqual(['a.ts:2: of\n * which', 'a.ts:6: Anew']);
    expect(findHardPhrases('a.ts', '/** Who opens the post must not ring. */')).toHaveLength(1);
    expect(findHardPhrases('a.ts', '/** The clerk who opens the post must not ring. */')).toEqual([]);
    expect(findHardPhrases('a.ts', '/** Who is told next: the owner. It may wait. */')).toEqual([]);
    expect(findHardPhrases('a.sql', '-- A table\n-- seen to.\n')).toEqual(['a.sql:2: seen to']);
    expect(findHardPhrases('a.md', 'One\nof whom nobody knows\n')).toEqual(['a.md:2: of whom']);
    expect(findHardPhrases('a.yml', 'key: of which # in vain\n')).toEqual(['a.yml:1: in vain']);
  });
});
