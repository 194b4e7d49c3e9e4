import { expect, test } from 'vitest';
import { checkRecord } from './check-record.ts';

const service = { id: 's1', name: 'Walking group', status: 'active' };
const errorsOf = (value: unknown) => {
  const checked = checkRecord(value);
  return 'errors' in checked ? checked.errors : [];
};

test('a service needs no more than an id, a name and a status', () => {
  expect(checkRecord({ ...service })).toEqual({ service, lastModified: undefined });
});

test('null counts as left out, and fields that HSDS does not know are kept', () => {
  const given = {
    ...service,
    email: null,
    colour: { of: ['the door', null] },
    phones: [{ number: '1', type: null }],
  };
  expect(checkRecord(given)).toMatchObject({
    service: { ...service, colour: { of: ['the door', null] }, phones: [{ number: '1' }] },
  });
  expect(given).not.toHaveProperty('email');
});

test('so do an empty text and an empty list of what HSDS names, but where it demands a text', () => {
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
  expect(checkRecord(given)).toStrictEqual({
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

test.each([
  ['', [service], 'must be an object: one service'],
  ['', null, 'must be an object: one service'],
  ['/id', { name: 'x', status: 'active' }, 'is required'],
  ['/id', { ...service, id: 'x'.repeat(101) }, 'must have at most 100 characters'],
  ['/name', { ...service, name: ' ' }, 'is not of the expected form'],
  ['/status', { ...service, status: 'open' }, 'must be one of active, inactive, defunct, temporarily closed'],
  ['/phones/0/number', { ...service, phones: [{}] }, 'is required'],
  ['/minimum_age', { ...service, minimum_age: '18' }, 'must be a number'],
  ['/schedules/1/freq', { ...service, schedules: [{}, { freq: 'DAILY' }] }, 'must be one of WEEKLY, MONTHLY'],
  ['/organization/name', { ...service, organization: { id: 'o1' } }, 'is required'],
  ['/description', { ...service, description: 'a\0b' }, 'must not hold the character NUL'],
  ['/big', { ...service, big: JSON.parse('1e400') }, 'must not be larger than numbers can be here'],
  ['/of', { ...service, of: { ...Array.from({ length: 1001 }) } }, 'must have at most 1000 fields'],
  ['/x~1y/0', { ...service, 'x/y': ['\ud800'] }, 'must not hold half of a character (a lone surrogate)'],
  [
    '/last_modified',
    { ...service, last_modified: '2026-02-31T00:00:00Z' },
    'must be a moment such as 2026-11-21T09:30:00Z',
  ],
])('%s is where the error is', (pointer, value, message) => {
  expect(errorsOf(value)).toEqual([{ pointer, message }]);
});

test('bottomless nesting is refused before anything recurses into it', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  expect(errorsOf({ ...service, deep })).toMatchObject([{ message: 'is nested too deeply' }]);
});

test.each([
  ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21T09:30:00.123+01:00', '2026-11-21T08:30:00.123Z'],
  ['2026-11-21T09:30:00', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
])('%s is read as a moment', (last_modified, moment) => {
  expect(checkRecord({ ...service, last_modified })).toMatchObject({ lastModified: new Date(moment) });
});
