import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorsInWhatWasDone, reasonErrors } from './reason.ts';

/** As people give them at work, also in a hurry and in other languages. */
const real = [
  ...[
    'Safeguarding concern',
    'GP asked whether she still waits',
    'She asked me to chase the service',
    'Police asked for it',
    'Dad died',
    'Mum died',
    'Cover for leave',
    'I cover for her',
  ],
  ...[
    'Married last week',
    'She married in May.',
    'Their laptop was stolen.',
    'Came back from leave',
    'Left the practice',
  ],
  ...[
    'To be sure',
    'Lost the security key',
    'A wrong password.',
    'Asked for by letter; ticket 311.',
    'Court order',
  ],
  ...['Subject access request', 'Coroner’s request', 'Duplicate record', 'Wrong person', 'Same name'],
  ...[
    'Twin sister',
    'Heart murmur',
    'His twin brother',
    'Born in another year',
    'She is my cousin, born in 1990.',
  ],
  ...[
    'The service agreed on the telephone',
    'Lives just outside',
    'Turns 18 in June',
    'No other choir takes him',
  ],
  ...[
    'Test results are back',
    'Were they told? She asks.',
    'Tree fell on the clinic',
    'Nobody answered',
    'DNA twice, re-refer',
  ],
  ...[
    'CMHT request',
    'Data breach',
    'Gofynnodd y meddyg teulu',
    'Pryder diogelu',
    'Cais gan y crwner',
    'Mae hi’n perthyn i mi',
  ],
  ...[
    'Lekarz prosił o to',
    'Siostra bliźniaczka',
    'Zmieniła nazwisko po ślubie',
    'Подменяю коллегу на этой неделе',
  ],
  ...['Ο γιατρός το ζήτησε', 'طلب الطبيب ذلك', 'डॉक्टर ने पूछा', 'Doktor istedi bunu', 'A família pediu isso'],
];

const empty = [
  ...[
    'x',
    'aaaa aaaaaa',
    'xx xxxxxxxxxx',
    'because Because',
    'asas sasa asasas',
    'reason',
    'To be',
    'GP',
    'Curiosity',
  ],
  ...[
    'asdf asdfgh',
    'asdf qwerty',
    'qwe asd zxc',
    'lkjhg fdsa',
    'zxcvb nm,./ zxcvbnm',
    'qazwsx edcrfv',
    'asdasd qweqwe',
  ],
  ...[
    '....',
    '---- ----',
    '1234 5678',
    'x 77',
    'test 77',
    'ticket',
    'ticket ticket',
    'GP asked 12',
    'ok 12',
    'n/a',
    'N / A',
    'N/A N/A',
    'see notes',
    'See notes.',
    'as discussed',
    'see attached letter',
    '-',
    '.',
    'test test',
    'Test testing',
    'this is a test',
    'test entry',
  ],
  ...[
    'no reason',
    'No reason given',
    'not applicable',
    'none given',
    'just because',
    'blah blah',
    'foo bar',
    'lorem ipsum',
  ],
  ...[
    'GP asked',
    'gp asked me',
    'The GP asked for it.',
    'She asked me to look',
    'My manager told me to',
    'doctor request',
    'to look at it please',
  ],
  ...[
    'x y z q w e',
    'a b c d e f',
    'hahaha hahahaha',
    'ok ok ok ok',
    '😀 😀 😀',
    'Ok, fine',
    'TBC tbd',
    'ééééé ēēēēē',
  ],
];

describe('a reason', () => {
  it('is refused where it only fills a field', () => {
    const message = 'Say why in a few words that a colleague would understand';
    for (const typed of empty)
      expect(reasonErrors(typed), typed).toEqual([{ pointer: '/reason', code: 'says-nothing', message }]);
  });

  it('is never refused where a colleague would understand it', () => {
    const around = fc.constantFrom('', ' ', '\n', '\u200b', '.', ' !', '“', ' test', ' n/a', ' 12');
    const casing = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.normalize('NFD'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...real), around, around, casing, (text, before, after, change) => {
        expect(reasonErrors(`${before}${change(text)}${after}`)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    for (const typed of real) expect(reasonErrors(typed), typed).toEqual([]);
  });

  it('may be the number of a ticket or case, or a letter’s date', () => {
    const named = [
      'ticket 77',
      'Ticket #77',
      'Case no. 12/3',
      'INC0012345',
      'SAR-2026-14',
      'Datix ref: 4012',
      'Asked by letter 12',
      'Her letter of 3 May',
      'email 12/3/2026',
    ];
    for (const typed of named) expect(reasonErrors(typed), typed).toEqual([]);
  });

  it('is refused however often a word or a row of keys is repeated', () => {
    const row = fc
      .tuple(
        fc.constantFrom('qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'poiuytrewq'),
        fc.nat(4),
        fc.integer({ min: 3, max: 6 }),
      )
      .map(([keys, from, length]) => keys.slice(from, from + Math.max(3, length)).padEnd(3, keys[0]));
    const word = fc.constantFrom('test', 'Because', 'safeguarding', 'x', 'aaaa', 'N/A', '...');
    const filling = fc.oneof(
      fc.array(row, { minLength: 1, maxLength: 8 }).map((rows) => rows.join(' ')),
      fc.tuple(word, fc.integer({ min: 1, max: 20 })).map(([each, times]) => `${each} `.repeat(times)),
    );
    fc.assert(
      fc.property(filling, (text) => {
        expect(reasonErrors(text)).toMatchObject([{ code: 'says-nothing' }]);
      }),
    );
  });

  it('is judged in no time, however long it is', () => {
    for (const unit of ['asd', 'qwertyuiop', 'ab', 'abc', 'a ', '’-'])
      expect(reasonErrors(unit.repeat(3000), { maxLength: 100_000 })).toHaveLength(1);
  });
});

describe('the words about what was done', () => {
  const errors = (typed: string) => errorsInWhatWasDone(typed, { request: 'Say what was done' });
  it.each([
    'Nobody was told',
    'No-one has been told yet.',
    'nothing',
    'Nothing was done',
    'n/a',
    'No further action needed',
    'I haven’t told anyone',
    'We did not ring them',
    'Will tell them later',
  ])('are refused where nothing was done: “%s”', (typed) => {
    expect(errors(typed)).toMatchObject([{ code: 'says-nothing' }]);
  });

  it.each([
    'Rang her: she is safe, no action needed',
    'Nobody answered, so the police went round',
    'It was not a danger: he meant the dog',
    'False alarm',
    'Told the duty social worker',
    'The receiver will not take post; read it out by telephone',
  ])('may say “%s”', (typed) => {
    expect(errors(typed)).toEqual([]);
  });
});
