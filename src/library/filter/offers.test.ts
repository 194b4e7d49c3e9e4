import { describe, expect, it } from 'vitest';
import type { Service } from '../model/service.ts';
import { offersOf, signLanguage, virtualPlacesInWords } from './offers.ts';

const offers = (fields: Partial<Service>) =>
  offersOf({ id: 'one', name: 'One', status: 'active', ...fields } as Service);
const at = (location: object) => ({ service_at_locations: [{ location }] }) as Partial<Service>;

describe('how a service meets people', () => {
  it.each<[string, Partial<Service>, string[]]>([
    ['a place', at({ location_type: 'physical' }), ['in-person']],
    ['a point', at({ latitude: 54, longitude: -2 }), ['in-person']],
    ['nothing', {}, []],
    ['an online group', at({ location_type: 'virtual', name: 'Online group' }), ['online']],
    ['a telephone line', at({ location_type: 'virtual', name: 'By telephone' }), ['phone']],
    ['both', at({ location_type: 'virtual', name: 'Video and telephone appointments' }), ['phone', 'online']],
    ['a visitor', { description: 'A volunteer visits you at home for an hour.' }, ['home']],
    ['no visits', { description: 'We do not make home visits.' }, []],
    ['homework', { description: 'People come to learn video calls; tablets are lent for use at home.' }, []],
    [
      'attending types',
      { schedules: [{ attending_type: 'at_home' }, { attending_type: 'online' }] },
      ['home', 'online'],
    ],
  ])('is read from %s', (_, fields, expected) => {
    expect(offers(fields).ways).toEqual(expected);
  });
});

describe('a virtual place', () => {
  it.each([
    ['By telephone', undefined, 'By phone'],
    ['Helpline', 'https://line.example.org', 'By phone'],
    ['Video and telephone appointments', undefined, 'By phone or online'],
    ['Online group', undefined, 'Online'],
    ['Our pages', 'https://group.example.org', 'Online'],
    ['Home visits', undefined, 'At home'],
    [undefined, undefined, 'By phone or online'],
  ])('is named by how people are seen there: %s', (name, url, expected) => {
    const location = {
      id: 'l',
      location_type: 'virtual' as const,
      ...(name && { name }),
      ...(url && { url }),
    };
    expect(virtualPlacesInWords([{ id: 'at', location }])).toBe(expected);
  });
});

describe('what a service offers', () => {
  it.each<[string, Partial<Service>, boolean]>([
    ['Free.', { fees_description: 'Free.' }, true],
    ['Free, and so is the tea.', { fees_description: 'Free, and so is the tea.' }, true],
    ['free for everyone', { cost_options: [{ option: 'Everyone', amount: 0 }] }, true],
    ['free for carers only', { cost_options: [{ option: 'Carer', amount: 0 }] }, false],
    ['free at first', { fees_description: 'Free for six weeks.' }, false],
    ['free on benefits', { fees_description: 'Free on a low wage. Otherwise £65 a term.' }, false],
    ['free, then a price', { fees_description: 'Free.', cost_options: [{ amount: 3 }] }, false],
    ['nothing', {}, false],
  ])('is free: %s', (_, fields, expected) => {
    expect(offers(fields).features.includes('free')).toBe(expected);
  });

  it.each([
    ['Step-free entrance and accessible toilet.', ['step-free']],
    ['Hearing loop in the main room.', ['hearing-loop']],
    ['Not wheelchair accessible.', []],
    ['One step at the door; portable ramp on request.', []],
    ['Ramp to the front door.', ['step-free']],
    ['There is no hearing loop. Level access.', ['step-free']],
  ])('is accessible: %s', (description, expected) => {
    expect(offers(at({ accessibility: [{ description }] })).features).toEqual(expected);
  });

  it.each([
    ['Refer yourself, or a professional can do it.', true],
    ['No referral needed: walk in.', true],
    ['Self-referrals are not accepted.', false],
    ['By referral from a GP.', false],
    ['You cannot refer yourself. Ask your GP.', false],
  ])('takes self-referrals: %s', (application_process, expected) => {
    expect(offers({ application_process }).features.includes('self-referral')).toBe(expected);
  });

  it('names languages besides English, and signing', () => {
    const { languages } = offers({
      languages: [{ name: 'English', code: 'en' }, { code: 'pl' }, { name: 'urdu' }, { code: 'not a code' }],
      interpretation_services: 'Interpreters and BSL by arrangement.',
    });
    expect(languages).toEqual([signLanguage, 'Polish', 'Urdu']);
    expect(offers({ languages: [{ code: 'bfi' }] }).languages).toEqual([signLanguage]);
  });
});
