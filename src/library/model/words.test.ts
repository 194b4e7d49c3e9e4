import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/database/test-database.ts';
import { mustEnd } from '../../../test/process/must-end.ts';
import { foldText, typedWords, wordsOf } from './words.ts';

describe('words', () => {
  it('are split as the library spells them, without apostrophes', () => {
    expect(typedWords("She can’t pay her neighbour's CAFÉ bill! 🙂 لاجئ")).toEqual([
      ...['she', 'cant', 'pay', 'her', 'neighbours', 'cafe', 'bill', 'لاجئ'],
    ]);
  });

  it('are folded as PostgreSQL does, in all European letters', async () => {
    const letters = Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code))
      .filter((letter) => /\p{Script=Latin}/u.test(letter))
      .concat('ẞ', 'Łukasz', 'Ørsted', 'Bjørnson', 'Straße', 'Æsop', 'Œuvre', 'Nguyễn');
    const database = await testDatabase();
    const { rows } = await sql<{ folded: string }>`
      select plain_text(letter) as folded from unnest(${letters}::text[]) with ordinality as given(letter, place)
      order by place`.execute(database.db);
    expect(letters.map(foldText)).toEqual(rows.map(({ folded }) => folded));
    expect([...wordsOf('Łukasz Ørsted Bjørnson Straße')]).toEqual([
      'lukasz',
      'orsted',
      'bjornson',
      'strasse',
    ]);
    await database.close();
  });

  it('lose two million accents in a moment', () => {
    // A pattern that looks back over all marks for each one would take hours.
    for (const letter of ['e', 'א']) mustEnd(() => wordsOf(letter + '\u0301'.repeat(2_000_000)));
    expect([...wordsOf('Mañana à la crème brûlée, Nguyễn')]).toEqual([
      ...['manana', 'creme', 'brulee', 'nguyen'],
    ]);
  });
});
