import { describe, expect, it } from 'vitest';
import type { PatientRecord } from './collect-record.ts';
import { applyMarks, countTexts, leaveOut, type Mark } from './leave-out.ts';

const moment = (minute: number) => `2026-11-21T09:${String(minute).padStart(2, '0')}:00.000Z`;
const mary = { name: 'Mary Okafor', organisation: 'Infirmary Lane Surgery' };

/** The first referral of a record, as JSON of any shape. */
const firstOf = ({ referrals }: Pick<PatientRecord, 'referrals'>): any => referrals[0];

/** A record of one referral in which a neighbour is named in many places. */
function aRecord(): PatientRecord {
  const said = 'Her neighbour Karen Smith rang: the money is gone.';
  return {
    version: 1,
    exported_at: moment(59),
    site: { name: 'Sarrowby', address: 'https://a.example', data_controller: null },
    referrals: [
      {
        referral: {
          id: 'r1',
          reference: 'ABC234',
          status: 'rejected',
          status_reason: { code: 'other', text: said },
          patient: {
            given_name: 'Grace',
            carer: { name: 'Karen Smith', telephone: '01632 960 123' },
          },
          reasons: [{ text: 'Ann is lonely.', code: '105412007' }, { text: 'Annual review' }],
          safety_notes: 'Karen’s dog bites. Ring KAREN  SMITH on 01632960123.',
          deliveries: [],
        },
        history: [
          { version: 1, at: moment(1), by: mary, from: null, to: 'requested', reason: null },
          {
            version: 2,
            at: moment(2),
            by: mary,
            from: 'requested',
            to: 'rejected',
            reason: { code: 'other', text: said },
          },
        ],
        things_have_changed: [],
        messages: [
          { id: 'm1', at: moment(5), by: mary, text: 'Write to karen.smith@example.org' },
          { id: 'm2', at: moment(6), by: mary, text: 'She comes on Thursdays.' },
        ],
        private_notes: [],
        attachments: [{ id: 'f1', at: moment(7), by: mary, name: 'Letter about Karen Smith.pdf' }],
        openings: [],
        restrictions: [],
        legal_holds: [],
        person_pages: [],
        person_answers: [],
        deliveries: [],
        audit: [
          { at: moment(5), by: mary, action: 'referral.message_sent', outcome: 'done' },
          { at: moment(6), by: mary, action: 'referral.message_sent', outcome: 'done' },
          { at: moment(6), by: { name: 'Peter' }, action: 'referral.read', outcome: 'done' },
        ],
      },
    ],
  } as unknown as PatientRecord;
}

const mark = (part: Partial<Mark>): Mark => ({
  kind: 'hold_back',
  path: null,
  partInWords: 'A message',
  words: null,
  ground: 'third_party',
  ...part,
});

describe('the whole list of who read or changed a record', () => {
  it('is left out by one mark, and the list stays in the file', () => {
    const all = mark({ path: '0/audit', partInWords: 'All of who read or changed it' });
    const { referrals, left_out } = leaveOut(aRecord(), [all]);
    expect(referrals[0]!.audit).toEqual([]);
    expect(referrals[0]!.messages).toHaveLength(2);
    expect(left_out.map(({ what }) => what)).toEqual(['All of who read or changed it']);
  });
});

describe('words that are blacked out', () => {
  const words = (typed: string, path: string | null = null) => [
    mark({ kind: 'black_out', words: typed, path }),
  ];

  it('are found in all texts and file names, however written', () => {
    const referral = firstOf(leaveOut(aRecord(), words('karen smith')));
    expect(JSON.stringify(referral)).not.toMatch(/karen\W*smith/i);
    expect(referral.attachments[0].name).toBe('Letter about █████.pdf');
    expect(referral.messages[0].text).toBe('Write to █████@example.org');
    expect(referral.referral.safety_notes).toBe('Karen’s dog bites. Ring █████ on 01632960123.');
  });

  it('are whole words; a telephone number counts in any grouping', () => {
    const named = firstOf(leaveOut(aRecord(), words('Ann')));
    expect(named.referral.reasons.map((each: { text: string }) => each.text)).toEqual([
      '█████ is lonely.',
      'Annual review',
    ]);
    const numbered = firstOf(leaveOut(aRecord(), words('(01632) 960123')));
    expect(numbered.referral.patient.carer.telephone).toBe('█████');
    expect(numbered.referral.safety_notes).toContain('Ring KAREN  SMITH on █████.');
  });

  it('are found despite unseen characters, hyphens or spaces', () => {
    const hidden = [
      'third\u00ADparty rang',
      'the thi\u200Brd\u2060party rang',
      'T H I R D P A R T Y rang',
      't.h.i.r.d.p.a.r.t.y rang',
      'Third-\nparty rang',
      'third party rang',
      'thi rd\u00ad par\nty rang',
    ];
    for (const text of hidden) {
      const record = aRecord();
      record.referrals[0]!.messages[1]!.text = text;
      expect(countTexts(record, 'thirdparty', null), text).toBe(1);
      const referral = firstOf(leaveOut(record, words('third\u00ADparty')));
      expect(referral.messages[1].text, text).toMatch(/^(the )?█████ rang$/);
    }
    const record = aRecord();
    record.referrals[0]!.messages[1]!.text = 'She put it in a box of thirdpartyware.';
    expect(countTexts(record, 'Ina', null) + countTexts(record, 'thirdparty', null)).toBe(0);
  });

  it('leave no trace if nobody may know that there was something', () => {
    const silent = [
      mark({ kind: 'black_out', words: 'Karen Smith', ground: 'serious_harm' }),
      mark({ kind: 'black_out', words: 'Karen Smith' }),
    ];
    const { referrals, left_out } = leaveOut(aRecord(), silent.slice(0, 1));
    const referral = firstOf({ referrals });
    expect(JSON.stringify(referrals)).not.toMatch(/█|karen\W*smith/i);
    expect(referral.referral.status_reason.text).toBe('Her neighbour rang: the money is gone.');
    expect(referral.attachments[0].name).toBe('Letter about.pdf');
    expect(left_out).toEqual([]);
    for (const each of [silent, silent.toReversed()])
      expect(JSON.stringify(leaveOut(aRecord(), each).referrals)).not.toMatch(/█/);
  });

  it('are blacked out in one part alone where that was chosen', () => {
    const referral = firstOf(leaveOut(aRecord(), words('Karen Smith', '0/attachments/0')));
    expect(referral.attachments[0].name).toBe('Letter about █████.pdf');
    expect(referral.referral.patient.carer.name).toBe('Karen Smith');
  });

  it('leave statuses and codes as they are', () => {
    const each = ['rejected', 'other', '105412007', 'm1', 'done'].flatMap((word) => words(word));
    expect(leaveOut(aRecord(), each).referrals).toEqual(aRecord().referrals);
  });

  it.each(['a+(b)[c]', "Karen's", '.*', '???'])('are plain words, not a pattern: %s', (typed) => {
    const record = aRecord();
    record.referrals[0]!.messages[1]!.text = `Before ${typed} after`;
    expect(countTexts(record, typed, '0/messages/1')).toBe(1);
    const referral = firstOf(leaveOut(record, words(typed)));
    expect(referral.messages[1].text).toBe('Before █████ after');
  });
});

describe('a part that is held back', () => {
  it('is gone from its list, and blacked out elsewhere', () => {
    const { referrals, left_out } = leaveOut(aRecord(), [
      mark({ path: '0/history/1', partInWords: 'A line of what happened' }),
      mark({ path: '0/referral/patient/carer', partInWords: 'The carer' }),
    ]);
    const referral = firstOf({ referrals });
    expect(referral.history).toHaveLength(1);
    expect(referral.referral.status_reason).toEqual({ code: 'other', text: '█████' });
    expect(referral.referral.patient).toEqual({ given_name: 'Grace' });
    expect(left_out).toEqual([
      { referral: 'ABC234', what: 'A line of what happened', how: 'held_back', because: 'third_party' },
      { referral: 'ABC234', what: 'The carer', how: 'held_back', because: 'third_party' },
    ]);
    expect(referral.messages[1].by).toEqual(mary);
  });

  it('leaves no trace if nobody may know that there was something', () => {
    const silent = [mark({ path: '0/messages/1', ground: 'serious_harm' })];
    const { referrals, left_out } = leaveOut(aRecord(), silent);
    const referral = firstOf({ referrals });
    expect(referral.messages.map(({ id }: { id: string }) => id)).toEqual(['m1']);
    expect(referral.audit.map(({ at, by }: { at: string; by: { name: string } }) => [at, by.name])).toEqual([
      [moment(5), mary.name],
      [moment(6), 'Peter'],
    ]);
    expect(left_out).toEqual([]);
    expect([...applyMarks(aRecord(), silent).heldBackPaths]).toEqual(['0/messages/1', '0/audit/1']);
    const reason = [mark({ path: '0/history/1', ground: 'serious_harm' })];
    expect(JSON.stringify(leaveOut(aRecord(), reason))).not.toMatch(/█|the money is gone/);
  });

  it('may be a whole referral, or a required field', () => {
    expect(leaveOut(aRecord(), [mark({ path: '0' })]).referrals).toEqual([]);
    const referral = firstOf(leaveOut(aRecord(), [mark({ path: '0/referral/status_reason' })]));
    expect(referral.referral.status_reason).toBeNull();
    expect(referral.history[1].reason.text).toBe('█████');
  });
});
