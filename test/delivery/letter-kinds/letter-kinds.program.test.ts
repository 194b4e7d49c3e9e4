import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { endings } from './endings.ts';
import { type LetterKind, noNewCode, referralCode } from './letter-kind.ts';
import { letterSite } from './make-letter.ts';
import { newReferrals } from './new-referrals.ts';
import { updates } from './updates.ts';

/** Where `npm run letters` wants the pictures, and the key to them. */
const { LETTERS_DIR: folder } = process.env;
if (folder) mkdirSync(folder, { recursive: true });

const site = await letterSite();
afterAll(() => site.close());

const withCode = (kinds: readonly LetterKind[], code: string) => kinds.map((each) => ({ code, ...each }));
const letters = [
  ...withCode(newReferrals, referralCode),
  ...withCode([...updates, ...endings], noNewCode),
].map((each, index) => ({ number: `${index + 1}`.padStart(2, '0'), action: 'No action', ...each }));

describe('letters of each kind', () => {
  it.each(letters)('reach the practice: $number $kind', async ({ number, who, patient, live, practice }) => {
    const life = site.newLife(who, patient);
    await live(life);
    const { pdf, written } = await life.letter(practice);
    expect(written.letter.toPractice?.box.code).toBeDefined();
    if (folder) draw(join(folder, number), pdf);
  });

  it.runIf(folder)('have a key', () => {
    const lines = letters.map(
      ({ number, kind, who, action, code }) => `| ${number} | ${kind} | ${who} | ${action} | ${code} |`,
    );
    const head = ['| letter | kind | patient | action | code |', '|---|---|---|---|---|'];
    writeFileSync(join(folder!, 'key.md'), `${[...head, ...lines].join('\n')}\n`);
  });
});

/** A picture of each page. */
function draw(path: string, pdf: Buffer): void {
  writeFileSync(`${path}.pdf`, pdf);
  execFileSync('pdftoppm', ['-png', '-r', '80', `${path}.pdf`, path]);
}
