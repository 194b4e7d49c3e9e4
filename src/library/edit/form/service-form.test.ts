import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/app/runs.ts';
import { dayCodes } from '../../hours/week.ts';
import type { Service } from '../../model/service.ts';
import { formFields, formOf, serviceFormErrors, withForm } from './service-form.ts';

const sample = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', 'sample', 'library.ndjson'),
  'utf8',
);
const services: Service[] = sample
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const nothing = { terms: [], point: undefined, points: new Map() };

/** The form as a browser sends it back. */
function sent(service: Service, changes: Record<string, string> = {}) {
  const { values, terms } = formOf(service);
  const lines = Object.entries(values).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]);
  return { values: { ...Object.fromEntries(lines), ...changes }, terms };
}

describe('the form of a service', () => {
  it('changes nothing if nobody touched it', () => {
    for (const service of services) {
      expect(serviceFormErrors(service, sent(service))).toEqual([]);
      expect(withForm(service, sent(service), nothing)).toEqual(service);
    }
    const text = fc.string({ maxLength: 20 });
    const schedule = fc.record(
      {
        id: fc.uuid(),
        freq: fc.constantFrom('WEEKLY', 'MONTHLY'),
        interval: fc.constantFrom(1, 2),
        byday: fc.oneof(
          fc.subarray([...dayCodes]).map((each) => each.join(',')),
          text,
        ),
        opens_at: fc.oneof(fc.constantFrom('09:00', '9:30', '13:00:00Z'), text),
        closes_at: fc.oneof(fc.constantFrom('12:00', '24:00', '17:30Z'), text),
        valid_to: fc.constant('2026-12-31'),
        x_own: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const given = fc.record(
      {
        name: text,
        description: text,
        minimum_age: fc.double({ noNaN: true }),
        phones: fc.array(fc.record({ number: text, x_own: fc.jsonValue() })),
        schedules: fc.array(schedule),
        service_at_locations: fc.array(
          fc.record({
            schedules: fc.array(schedule),
            location: fc.record({ addresses: fc.array(fc.record({ city: text })) }),
          }),
        ),
        attributes: fc.array(fc.record({ value: text })),
        service_areas: fc.array(fc.record({ name: text, description: text })),
        languages: fc.array(fc.record({ name: text, code: text })),
        cost_options: fc.array(fc.record({ option: text, amount: fc.double({ noNaN: true }) })),
        required_documents: fc.array(fc.record({ document: text })),
        x_own: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, (more) => {
        const service = { id: 'a', status: 'active', name: 'x', ...more } as unknown as Service;
        expect(withForm(service, sent(service), nothing)).toEqual(service);
      }),
      { numRuns: runs(150) },
    );
  });

  it('shows what was typed and leaves the rest of the service', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{1,9}$/);
    const typed = fc.record(
      {
        name: word,
        description: word,
        phone: fc.stringMatching(/^0[0-9]{10}$/),
        fees_description: word,
        city: word,
        opens_WE_1: fc.constant('08:15'),
        closes_WE_1: fc.constant('19:45'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...services), typed, (service, changes) => {
        const odd = { ...service, x_own: { kept: true } };
        const whole = { ...sent(odd, changes as Record<string, string>) };
        if (serviceFormErrors(odd, whole).length > 0) return;
        const edited = withForm(odd, whole, nothing);
        for (const [name, value] of Object.entries(changes)) expect(formOf(edited).values[name]).toBe(value);
        const touched = [
          'name',
          'description',
          'phones',
          'fees_description',
          'service_at_locations',
          'schedules',
        ];
        for (const [name, value] of Object.entries(odd)) {
          if (!touched.includes(name)) expect((edited as Record<string, unknown>)[name]).toEqual(value);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('checks typed hours but not a source’s hours past midnight', () => {
    const night = { freq: 'WEEKLY', byday: 'FR', opens_at: '22:00', closes_at: '02:00' } as const;
    const service: Service = { id: 'a', name: 'A', status: 'active', schedules: [night] };
    const wrong = (changes: Record<string, string>) =>
      serviceFormErrors(service, sent(service, changes)).map(({ pointer }) => pointer);
    expect(wrong({ description: 'Cocoa and a listening ear.' })).toEqual([]);
    expect(wrong({ opens_FR_1: '23:00' })).toEqual(['/opens_FR_1']);
  });

  it('reads and shows times as people write them', () => {
    const evening = {
      id: 's',
      freq: 'WEEKLY',
      byday: 'FR',
      opens_at: '5:00pm',
      closes_at: '12 midnight',
    } as const;
    const given = { ...evening, opens_at: '17:00', opens_at_original: '5:00pm' };
    for (const schedule of [evening, given]) {
      const service: Service = { id: 'a', name: 'A', status: 'active', schedules: [schedule] };
      expect(formOf(service).values).toMatchObject({ opens_FR_1: '17:00', closes_FR_1: '00:00' });
      expect(withForm(service, sent(service, { opens_FR_1: '5pm' }), nothing)).toEqual(service);
      const later = sent(service, { opens_FR_1: '6.30 p.m.', opens_SA_1: '9', closes_SA_1: '9:9am' });
      expect(serviceFormErrors(service, later)).toMatchObject([{ pointer: '/opens_SA_1' }]);
      const mended = { ...later, values: { ...later.values, opens_SA_1: '9am', closes_SA_1: '0930' } };
      expect(serviceFormErrors(service, mended)).toEqual([]);
      expect(withForm(service, mended, nothing).schedules).toEqual([
        { ...evening, opens_at: '18:30', closes_at: '00:00' },
        { id: expect.any(String), freq: 'WEEKLY', byday: 'SA', opens_at: '09:00', closes_at: '09:30' },
      ]);
    }
  });

  it.each(['by appointment', 'closed'])('replaces “%s” on days with new times only', (words) => {
    const asked = { id: 's', freq: 'WEEKLY', byday: 'Mon-Wed', opens_at: words, closes_at: words } as const;
    const service: Service = { id: 'a', name: 'A', status: 'active', schedules: [asked] };
    const monday = { opens_MO_1: '09:00', closes_MO_1: '12:00' };
    const timed = { freq: 'WEEKLY', byday: 'MO', opens_at: '09:00', closes_at: '12:00' };
    expect(withForm(service, sent(service, monday), nothing).schedules).toEqual([
      { ...asked, byday: 'TU,WE' },
      { ...timed, id: expect.any(String) },
    ]);
    const alone = { ...service, schedules: [{ ...asked, byday: 'MO' }] };
    expect(withForm(alone, sent(alone, monday), nothing).schedules).toEqual([
      { ...timed, id: expect.any(String) },
    ]);
    const dated = { ...service, schedules: [{ ...asked, byday: 'MO', valid_to: '2027-01-31' }] };
    expect(withForm(dated, sent(dated, monday), nothing).schedules).toHaveLength(2);
  });

  it('accepts web addresses without scheme and copied email links', () => {
    const typed = sent(one, { url: ' www.example.org/help ', email: 'mailto:a@example.org?subject=Hello' });
    expect(serviceFormErrors(one, typed)).toEqual([]);
    expect(withForm(one, typed, nothing)).toMatchObject({
      url: 'https://www.example.org/help',
      email: 'a@example.org',
    });
  });

  it('names each of two invalid ages', () => {
    const service: Service = { id: 'a', name: 'A', status: 'active' };
    const found = serviceFormErrors(service, sent(service, { minimum_age: 'ten', maximum_age: '-3' }));
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining('youngest'),
      expect.stringContaining('oldest'),
    ]);
  });

  const one: Service = {
    id: 'a',
    name: 'A',
    status: 'active',
    schedules: [
      {
        id: 's1',
        freq: 'WEEKLY',
        byday: 'MO,TU',
        opens_at: '09:00',
        closes_at: '12:00',
        description: 'Drop-in',
      },
      { id: 's2', freq: 'MONTHLY', byday: '1SA', opens_at: '10:00', closes_at: '11:00' },
    ],
  };

  it('moves a day with new times out of its schedule', () => {
    const { schedules } = withForm(
      one,
      sent(one, { opens_TU_1: '10:00', opens_WE_1: '10:00', closes_WE_1: '12:00' }),
      nothing,
    );
    expect(schedules).toMatchObject([
      { id: 's1', byday: 'MO', opens_at: '09:00', description: 'Drop-in' },
      { id: 's2', freq: 'MONTHLY' },
      { byday: 'TU', opens_at: '10:00', closes_at: '12:00', description: 'Drop-in' },
      { byday: 'WE', opens_at: '10:00' },
    ]);
    expect(new Set(schedules?.map(({ id }) => id)).size).toBe(4);
    const closed = withForm(
      one,
      sent(one, { opens_MO_1: '', closes_MO_1: '', opens_TU_1: '', closes_TU_1: '' }),
      nothing,
    );
    expect(closed.schedules?.map(({ id }) => id)).toEqual(['s2']);
  });

  it('moves the place with its postcode, without old coordinates', () => {
    const at = {
      id: 'l',
      latitude: 54,
      longitude: -2,
      addresses: [{ id: 'x', city: 'Sarrowby', postal_code: 'ZT1 1HW' }],
    };
    const service: Service = {
      id: 'a',
      name: 'A',
      status: 'active',
      service_at_locations: [{ id: 'p', location: at }],
    };
    const moved = sent(service, { postal_code: 'zt13gh' });
    const place = (point: { latitude: number; longitude: number } | undefined) =>
      withForm(service, moved, { ...nothing, point }).service_at_locations?.[0];
    expect(place({ latitude: 1, longitude: 2 })).toEqual({
      id: 'p',
      location: {
        id: 'l',
        latitude: 1,
        longitude: 2,
        addresses: [{ id: 'x', city: 'Sarrowby', postal_code: 'ZT1 3GH' }],
      },
    });
    expect(place(undefined)?.location).not.toHaveProperty('latitude');
  });

  it.each([
    [{ name: ' ' }, '/name'],
    [{ email: 'nobody' }, '/email'],
    [{ phone: 'abc' }, '/phone'],
    [{ phone: 'ext 12' }, '/phone'],
    [{ url: 'javascript:alert(1)' }, '/url'],
    [{ url: 'http://a:b@example.org' }, '/url'],
    [{ url: 'https:example.org' }, '/url'],
    [{ url: 'our page' }, '/url'],
    [{ minimum_age: 'ten' }, '/minimum_age'],
    [{ minimum_age: '550' }, '/minimum_age'],
    [{ minimum_age: '20', maximum_age: '10' }, '/maximum_age'],
    [{ opens_MO_1: '' }, '/opens_MO_1'],
    [{ opens_MO_1: '13:00' }, '/opens_MO_1'],
    [{ postal_code: 'near the river' }, '/postal_code'],
  ])('refuses %o beside its field', (changes, pointer) => {
    expect(formFields).toEqual(expect.arrayContaining(Object.keys(changes)));
    expect(
      serviceFormErrors(one, sent(one, changes as unknown as Record<string, string>)).map(
        (each) => each.pointer,
      ),
    ).toEqual([pointer]);
  });

  it.each([
    '01632 960777',
    '+44 (0)1632 960-777 ext. 12',
    '0800 CALL NOW',
    '111',
    '01632 960777 or 960778, ask for Jo',
  ])('accepts the telephone number %s', (phone) => {
    expect(serviceFormErrors(one, sent(one, { phone }))).toEqual([]);
  });

  it('does not check a telephone number that a source gave', () => {
    const odd = { ...one, phones: [{ number: 'see website' }] } as Service;
    expect(serviceFormErrors(odd, sent(odd, { description: 'Clay.' }))).toEqual([]);
  });
});
