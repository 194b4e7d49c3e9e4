import { describe, expect, it } from 'vitest';
import { repairRecord, withLineBreaks } from './repair-record.ts';

const service = { id: 's1', name: 'Walking group', status: 'active' };
const errorsOf = (value: unknown) => {
  const checked = repairRecord(value);
  return 'errors' in checked ? checked.errors : [];
};

describe('a service record', () => {
  it('needs no more than an id, a name and a status', () => {
    expect(repairRecord({ ...service })).toEqual({ service, lastModified: undefined });
  });

  it('may have nulls, and fields that HSDS does not know', () => {
    const given = {
      ...service,
      email: null,
      colour: { of: ['the door', null] },
      phones: [{ number: '1', type: null }],
    };
    expect(repairRecord(given)).toMatchObject({
      service: { ...service, colour: { of: ['the door', null] }, phones: [{ number: '1' }] },
    });
    expect(given).not.toHaveProperty('email');
  });

  it('loses empty texts and lists, unless HSDS demands a text', () => {
    const place = { address_1: '1 Bell Yard', city: '', state_province: '', postal_code: 'ZT1 2TP' };
    const full = { address_2: '', address_type: '', ...place };
    const given = {
      ...service,
      url: '',
      program_id: '',
      phones: [],
      schedules: [{ freq: '', byday: 'TU' }],
      x_ours: { said: '', list: [] },
      organization: { id: 'o', name: 'Trust', description: '', email: '' },
      service_at_locations: [{ location: { location_type: '', addresses: [full], languages: [] } }],
    };
    expect(repairRecord(given)).toStrictEqual({
      lastModified: undefined,
      service: {
        ...service,
        schedules: [{ byday: 'TU' }],
        x_ours: { said: '', list: [] },
        organization: { id: 'o', name: 'Trust', description: '' },
        service_at_locations: [{ location: { addresses: [place] } }],
      },
    });
  });

  it.each([
    ['', [service], 'must be an object: one service'],
    ['', null, 'must be an object: one service'],
    ['/id', { name: 'x', status: 'active' }, 'is required'],
    ['/id', { ...service, id: 'x'.repeat(101) }, 'must have at most 100 characters'],
    ['/name', { ...service, name: ' ' }, 'must not be blank'],
    [
      '/status',
      { ...service, status: 'open' },
      'must be one of active, inactive, defunct, temporarily closed',
    ],
    ['/name', { ...service, name: 'a\0b' }, 'must not hold the character NUL'],
    ['', { ...service, ...Array.from({ length: 1001 }) }, 'must have at most 1000 fields'],
  ])('is refused with its error at “%s” (%#)', (pointer, value, message) => {
    expect(errorsOf(value)).toEqual([{ pointer, message }]);
  });

  it('loses a field that is nested too deeply to recurse into', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(repairRecord({ ...service, deep })).toMatchObject({
      service,
      repairs: { leftOut: [{ pointer: '/deep', message: 'is nested too deeply' }] },
    });
  });
});

describe('a wrong part', () => {
  const many = 'must be one of WEEKLY, MONTHLY';
  const one = { number: '1' };
  const address = { address_1: '1 Bell Yard', city: 'Sarrowby' };
  it.each<[string, object, object, string]>([
    ['/phones/0/number', { phones: [{}, one] }, { phones: [one] }, 'is required'],
    ['/phones/0', { phones: [null] }, {}, 'must be an object'],
    ['/phones/1', { phones: [one, ['2']] }, { phones: [one] }, 'must be an object'],
    ['/phones', { phones: { number: '1' } }, {}, 'must be a list'],
    ['/phones/0/type', { phones: [{ ...one, type: 7 }] }, { phones: [one] }, 'must be a text'],
    [
      '/phones/0/languages/0/name',
      { phones: [{ ...one, languages: [{ name: 1 }] }] },
      { phones: [one] },
      'must be a text',
    ],
    ['/email', { email: { at: 'x' } }, {}, 'must be a text'],
    ['/url', { url: ['https://example.org'] }, {}, 'must be a text'],
    ['/minimum_age', { minimum_age: 'eighteen' }, {}, 'must be a number'],
    [
      '/schedules/1/freq',
      { schedules: [{ byday: 'TU' }, { freq: 'DAILY', byday: 'MO' }] },
      { schedules: [{ byday: 'TU' }] },
      many,
    ],
    [
      '/cost_options/0/amount',
      { cost_options: [{ option: 'Adult', amount: 'free' }] },
      { cost_options: [{ option: 'Adult' }] },
      'must be a number',
    ],
    [
      '/contacts/0/phones/1/number',
      { contacts: [{ name: 'Ann', phones: [one, {}] }] },
      { contacts: [{ name: 'Ann', phones: [one] }] },
      'is required',
    ],
    [
      '/languages/0/code',
      { languages: [{ name: 'Welsh', code: 1 }] },
      { languages: [{ name: 'Welsh' }] },
      'must be a text',
    ],
    ['/organization/name', { organization: { id: 'o1', phones: [{}] } }, {}, 'is required'],
    [
      '/organization/phones/0/number',
      { organization: { id: 'o1', name: 'Trust', phones: [{}] } },
      { organization: { id: 'o1', name: 'Trust' } },
      'is required',
    ],
    [
      '/service_at_locations/0/location/latitude',
      at({ latitude: 100, longitude: 1, addresses: [address] }),
      at({ longitude: 1, addresses: [address] }),
      'must be 90 or less',
    ],
    [
      '/service_at_locations/0/location/addresses/0/city',
      at({ name: 'Hall', addresses: [{ ...address, city: 3 }] }),
      at({ name: 'Hall', addresses: [{ address_1: '1 Bell Yard' }] }),
      'must be a text',
    ],
    [
      '/service_at_locations/0/location/accessibility/0',
      at({ name: 'Hall', accessibility: [5] }),
      at({ name: 'Hall' }),
      'must be an object',
    ],
    ['/description', { description: 'a\0b' }, {}, 'must not hold the character NUL'],
    [
      '/phones/0/number',
      { phones: [{ number: 'a\0b' }, one] },
      { phones: [one] },
      'must not hold the character NUL',
    ],
    ['/big', { big: JSON.parse('1e400') }, {}, 'must not be larger than numbers can be here'],
    ['/of', { of: { ...Array.from({ length: 1001 }) } }, {}, 'must have at most 1000 fields'],
    [
      '/x~1y/0',
      { 'x/y': ['\ud800', 'z'] },
      { 'x/y': [null, 'z'] },
      'must not hold half of a character (a lone surrogate)',
    ],
    [
      '/last_modified',
      { last_modified: '2026-02-31T00:00:00Z' },
      {},
      'must be a date and time such as 2026-11-21T09:30:00Z',
    ],
  ])('is left out, and the service stays: %s of %j', (pointer, given, kept, message) => {
    expect(repairRecord({ ...service, ...given })).toEqual({
      service: { ...service, ...kept },
      lastModified: undefined,
      repairs: { leftOut: [{ pointer, message }], noted: [] },
    });
  });

  it('is named by its own place, even among three hundred', () => {
    const phones = Array.from({ length: 600 }, (_, index) => (index % 2 ? { number: `${index}` } : {}));
    const checked = repairRecord({ ...service, phones });
    expect(checked).toMatchObject({ service: { phones: { length: 300 } } });
    expect(checked.repairs?.leftOut).toHaveLength(300);
    expect(checked.repairs?.leftOut[299]?.pointer).toBe('/phones/598/number');
  });

  it('is left out of an organisation that stands by itself', () => {
    const organization = { id: 'o1', name: 'Trust', email: 5, phones: [{}] };
    expect(repairRecord({ organization })).toMatchObject({
      standalone: { kind: 'organization', thing: { id: 'o1', name: 'Trust' } },
      repairs: {
        leftOut: [{ pointer: '/organization/email' }, { pointer: '/organization/phones/0/number' }],
      },
    });
  });
});

describe('a value of another type', () => {
  it('becomes the list or the number that HSDS has there', () => {
    const given = {
      ...service,
      minimum_age: '18',
      languages: 'Welsh, Chinese (Cantonese, Mandarin),',
      service_areas: ['Sarrowby'],
      schedules: 'mornings',
    };
    const checked = repairRecord(given);
    expect(checked).toMatchObject({
      service: {
        minimum_age: 18,
        languages: [{ name: 'Welsh' }, { name: 'Chinese (Cantonese, Mandarin)' }],
        service_areas: [{ name: 'Sarrowby' }],
      },
      repairs: { leftOut: [{ pointer: '/schedules', message: 'must be a list' }] },
    });
    expect(checked.repairs?.noted.map(({ kind, pointer }) => [kind.code, pointer])).toEqual([
      ['numbers-from-texts', '/minimum_age'],
      ['lists-from-texts', '/service_areas/0'],
      ['lists-from-texts', '/languages'],
    ]);
  });
});

function at(location: object) {
  return { service_at_locations: [{ location }] };
}

describe('the moment of the last change', () => {
  it.each([
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00.123+01:00', '2026-11-21T08:30:00.123Z'],
    ['2026-11-21T09:30:00', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ])('is read from %s', (last_modified, moment) => {
    expect(repairRecord({ ...service, last_modified })).toMatchObject({ lastModified: new Date(moment) });
  });
});

describe('withLineBreaks', () => {
  it.each([
    ['One.\\nTwo.\\n\\n• three\\n', 'One.\nTwo.\n\n• three\n'],
    ['One.\\r\\nTwo', 'One.\nTwo'],
  ])('reads the characters \\n as line breaks: %s', (text, read) => {
    expect(withLineBreaks('description', text)).toBe(read);
    expect(withLineBreaks('description', read)).toBe(read);
  });

  it.each([
    ['description', 'See C:\\new\\notes'],
    ['description', 'Real\nbreaks, and \\nOne that is not'],
    ['extent', 'a\\nB'],
  ])('keeps the characters \\n in %s %j', (name, text) => {
    expect(withLineBreaks(name, text)).toBe(text);
  });
});
