import { describe, expect, it } from 'vitest';
import openapi from '../../../openapi.json' with { type: 'json' };
import type { PatientRecord } from './collect-record.ts';
import { fieldsNotListed, findPart, labels, partsOf } from './parts.ts';

type Schema = { $ref?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };
const schemas = openapi.components.schemas as unknown as Record<string, Schema>;

/** The names of all fields below a schema, without identifiers and codes, which a copy does not show. */
function namesBelow({ $ref, properties = {}, items, anyOf = [] }: Schema): string[] {
  const own = Object.entries(properties).filter(([name]) => !/(^|_)(id|code)$/.test(name));
  return [
    ...($ref ? namesBelow(schemas[$ref.split('/').at(-1)!]!) : []),
    ...own.flatMap(([name, field]) => [name, ...namesBelow(field)]),
    ...(items ? namesBelow(items) : []),
    ...anyOf.flatMap(namesBelow),
  ];
}

/** A record of one referral with these fields. */
function recordWith(fields: object): PatientRecord {
  const none = { history: [], things_have_changed: [], messages: [], private_notes: [], attachments: [] };
  const nothing = { openings: [], restrictions: [], legal_holds: [], person_pages: [], person_answers: [] };
  const referral = { reference: 'ABC234', status: 'requested', urgency: 'routine', ...fields };
  return {
    referrals: [{ referral, ...none, ...nothing, deliveries: [], audit: [] }],
  } as unknown as PatientRecord;
}

describe('the parts of a copy that can be left out', () => {
  // Reviewers read “Death override: Reason: …”, and did not know what they left out.
  it('have a label in plain words for every field of a referral', () => {
    const { patient, ...fields } = schemas.Referral!.properties!;
    const listed = Object.entries(fields).filter(([name]) => !fieldsNotListed.has(name));
    const names = [
      ...listed.flatMap(([name, field]) => [name, ...namesBelow(field)]),
      ...namesBelow(patient!),
    ];
    expect(names).toContain('death_override');
    expect([...new Set(names)].filter((name) => !(name in labels))).toEqual([]);
  });

  it('have one for all lines of who read or changed it', () => {
    const record = recordWith({});
    const at = '2026-11-20T10:30:00.000Z';
    const line = { at, by: { name: 'Petra' }, action: 'referral.read', outcome: 'done' };
    record.referrals[0]!.audit.push(line as never, line as never);
    const [{ groups } = { groups: [] }] = partsOf(record);
    const { whole, parts } = groups.find(({ title }) => title === 'Who read or changed it')!;
    expect([whole!.text, parts.length]).toEqual(['2 lines, with the names of staff', 2]);
    expect(findPart(record, '0/audit')).toEqual(whole);
  });

  it('say what a measure, a goal and a contact are, and no code', () => {
    const at = '2026-11-20T10:30:00.000Z';
    const record = recordWith({
      measures: [{ code: 'ucla-3', stage: 'start', value: 7, taken_at: at, by: 'person', mode: 'in-person' }],
      goals: [{ text: 'Walk to the shop', need: 'physical-activity', result: 'partly' }],
      contacts: [{ id: 'c1', at, kind: 'telephone', reached: true, by: 'Aisha Malik', note: 'She is well' }],
      death_override: { reason: 'I rang her' },
    });
    const parts = partsOf(record)[0]!.groups.flatMap((group) => group.parts);
    const textOf = (label: string) => parts.find((each) => each.label === label)?.text;
    expect(textOf('A measure')).toBe('Loneliness (UCLA-3), at the start: 7');
    expect(textOf('Goal')).toMatch(/^Walk to the shop\n.*\nPartly/);
    expect(textOf('A contact with the person')).toContain('Reached the person');
    expect(textOf('Why it is not the person who is said to have died')).toBe('I rang her');
  });
});
