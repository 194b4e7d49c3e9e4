import { describe, expect, it } from 'vitest';
import { offersOf } from '../../filter/offers.ts';
import type { Service } from '../../model/service.ts';
import { formOf, serviceFormErrors, withForm } from './service-form.ts';

const whole: Service = {
  id: 'a',
  name: 'Repair café',
  status: 'active',
  service_areas: [
    { id: 'drawn', extent: '{}' },
    { id: 'sarrowby', name: 'Sarrowby', uri: 'https://example.org/s' },
  ],
  languages: [{ id: 'pl', code: 'pl', note: 'on Mondays' }],
  cost_options: [
    { id: 'adult', option: 'Adults', amount: 3.5, currency: 'GBP', amount_description: 'a session' },
    { id: 'carer', option: 'Carers', amount: 0, amount_description: 'Free' },
    { id: 'words', option: 'Groups: ask us' },
    { id: 'euro', amount: 2, currency: 'EUR' },
  ],
  required_documents: [{ id: 'id', document: 'Proof of\naddress', uri: 'https://example.org/d' }],
  service_at_locations: [
    {
      id: 'hall',
      location: { id: 'l1', accessibility: [{ id: 'ramp', description: 'Ramp', details: 'at the back' }] },
    },
    {
      id: 'barn',
      location: {
        id: 'l2',
        name: 'The Barn',
        addresses: [{ id: 'x', address_1: '2 Mill Lane', city: 'Sarrowby', postal_code: 'ZT1 3GH' }],
      },
    },
    { id: 'line', location: { id: 'l3', location_type: 'virtual', name: 'Helpline' } },
  ],
};
const points = new Map([['ZT1 1HW', { latitude: 54, longitude: -2 }]]);

/** The service after somebody changed the form. */
function edited(changes: Record<string, string>, service = whole) {
  const { values, terms } = formOf(service);
  const form = { values: { ...values, ...changes }, terms };
  expect(serviceFormErrors(service, form)).toEqual([]);
  return withForm(service, form, { terms: [], point: undefined, points });
}

function problems(changes: Record<string, string>, service = whole) {
  const { values, terms } = formOf(service);
  return serviceFormErrors(service, { values: { ...values, ...changes }, terms });
}

describe('parts of a service, one on each line', () => {
  it('are shown in words', () => {
    expect(formOf(whole).values).toMatchObject({
      service_areas: 'Sarrowby',
      languages: 'Polish',
      cost_options: 'Adults: £3.50 a session\nCarers: free\nGroups: ask us\nEUR 2',
      required_documents: 'Proof of address',
      other_places: 'The Barn, 2 Mill Lane, Sarrowby, ZT1 3GH',
      remote_ways: 'phone',
      accessibility: 'Ramp – at the back',
    });
  });

  it('keep what a source says of a line that nobody changed', () => {
    const { service_areas, cost_options, languages, required_documents } = edited({
      service_areas: 'Kirkfold\r\n\r\n  Sarrowby ',
      languages: 'Urdu\nPolish',
      cost_options: 'EUR 2\nAdults: £4 a session\nCarers: free\nGroups: ask us',
      required_documents: 'Proof of address\nA photograph',
    });
    const added = { id: expect.any(String) };
    expect(service_areas).toEqual([
      { ...added, name: 'Kirkfold' },
      whole.service_areas![1],
      whole.service_areas![0],
    ]);
    expect(languages).toEqual([{ ...added, name: 'Urdu' }, whole.languages![0]]);
    expect(cost_options).toEqual([
      whole.cost_options![3],
      { ...added, option: 'Adults', amount: 4, currency: 'GBP', amount_description: 'a session' },
      whole.cost_options![1],
      whole.cost_options![2],
    ]);
    expect(required_documents).toEqual([
      whole.required_documents![0],
      { ...added, document: 'A photograph' },
    ]);
  });

  it('leave the entry with their last line', () => {
    const emptied = edited({ languages: '', cost_options: ' \n', required_documents: '', service_areas: '' });
    for (const name of ['languages', 'cost_options', 'required_documents'])
      expect(emptied).not.toHaveProperty(name);
    expect(emptied.service_areas).toEqual([whole.service_areas![0]]);
  });

  it('add a place with where it is, and remove one', () => {
    const [hall, church, line, ...more] = edited({
      other_places: 'St Anne’s, Church Road, Upper End, Kirkfold, zt11hw',
    }).service_at_locations!;
    expect([hall, line, more]).toEqual([whole.service_at_locations![0], whole.service_at_locations![2], []]);
    expect(church!.location).toMatchObject({
      name: 'St Anne’s',
      latitude: 54,
      longitude: -2,
      addresses: [
        { address_1: 'Church Road', address_2: 'Upper End', city: 'Kirkfold', postal_code: 'ZT1 1HW' },
      ],
    });
  });

  it('say how people are seen without a place, as searches find it', () => {
    const service = edited({ remote_ways: 'home\nonline' });
    expect(formOf(service).values.remote_ways).toBe('home\nonline');
    expect(offersOf(service).ways).toEqual(['in-person', 'home', 'online']);
    const none: Service = { id: 'b', name: 'B', status: 'active' };
    expect(edited({ remote_ways: '' }, edited({ remote_ways: 'phone' }, none))).toEqual(none);
  });

  it('describe access to the place that is typed with them', () => {
    const online: Service = edited({ remote_ways: 'online' }, { id: 'b', name: 'B', status: 'active' });
    const [place, other] = edited({ address_1: '1 High Street', accessibility: 'Step-free entrance' }, online)
      .service_at_locations!;
    expect(place!.location).toMatchObject({
      addresses: [{ address_1: '1 High Street' }],
      accessibility: [{ description: 'Step-free entrance' }],
    });
    expect(other!.location).toEqual(online.service_at_locations![0]!.location);
    expect(problems({ accessibility: 'Step-free entrance' }, online)).toEqual([
      { pointer: '/accessibility', message: 'Enter where it is first: this is about that place' },
    ]);
  });

  it.each([
    ['cost_options', 'Carers: free\nAdults: ask', 'Line 2: enter a price such as'],
    ['cost_options', '£3.999', 'Line 1: enter a price such as'],
    ['other_places', '\nThe Barn', 'Line 2: enter the street, the town and a full postcode'],
    ['other_places', 'ZT1 3GH', 'Line 1: enter the street, the town and a full postcode'],
  ])('refuse a line of %s that cannot be read', (name, typed, message) => {
    expect(problems({ [name]: typed })).toEqual([
      { pointer: `/${name}`, message: expect.stringContaining(message) },
    ]);
  });
});
