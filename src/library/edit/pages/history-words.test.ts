import { describe, expect, it } from 'vitest';
import { differingParts, fieldInWords } from './history-words.ts';

const phone = (number: string) => JSON.stringify([{ id: 'p1', number, description: 'Coordinator' }]);

describe('fieldInWords', () => {
  it('says availability, hours, numbers and terms as pages do', () => {
    expect(fieldInWords('capacity', 'waitlist', 'no-capacity')).toEqual({
      name: 'Availability',
      was: 'Waiting list',
      is: 'Full',
    });
    expect(fieldInWords('phones', phone('01632 960011'), phone('01632 960012'))).toEqual({
      name: 'Telephone numbers',
      was: '01632 960011 (Coordinator)',
      is: '01632 960012 (Coordinator)',
    });
    const tuesday = { id: 's1', freq: 'WEEKLY', byday: 'TU', opens_at: '10:00', closes_at: '12:30' };
    expect(fieldInWords('schedules', '', JSON.stringify([tuesday]))).toEqual({
      name: 'When it is open',
      was: '',
      is: 'Tuesday, 10am to 12:30pm',
    });
    const term = { id: 'a1', taxonomy_term_id: 't1', taxonomy_term: { id: 't1', name: 'Loneliness' } };
    expect(fieldInWords('attributes', JSON.stringify([term]), '').was).toBe('Loneliness');
    expect(fieldInWords('status', 'active', 'defunct').is).toBe('No, it has ended');
  });

  it('shows other values as text, or as they are stored', () => {
    const place = (city: string) =>
      JSON.stringify([{ id: 'l1', location: { name: 'Mill', city, latitude: 54 } }]);
    expect(fieldInWords('service_at_locations', place('Sarrowby'), place('Hagwith'))).toMatchObject({
      was: 'Mill, Sarrowby, 54',
      is: 'Mill, Hagwith, 54',
    });
    const [one, other] = [JSON.stringify([{ id: 'x1' }]), JSON.stringify([{ id: 'x2' }])];
    expect(fieldInWords('x_ours', one, other)).toEqual({ name: 'x ours', was: one, is: other });
    // A long value was cut when it was stored.
    expect(fieldInWords('phones', '[{"id":"p1","numb…', '').was).toBe('[{"id":"p1","numb…');
    // A text that looks like one of our codes stays as it is.
    expect(fieldInWords('alert', '', '[closed] on Mondays').is).toBe('[closed] on Mondays');
    expect(fieldInWords('constructor', 'Wimpey', 'Barratt').name).toBe('constructor');
  });
});

const long = 'A trained volunteer visits you at home for about an hour a week. '.repeat(10);

describe('differingParts', () => {
  it('shows the part of long texts that differs', () => {
    const { was, is } = differingParts(`${long}It costs £5.${long}`, `${long}It is free.${long}`);
    expect(was).toMatch(/^…[\w .]{20,60}It costs £5\.A trained[\w ]{20,60}…$/);
    expect(is).toMatch(/^…[\w .]{20,60}It is free\.A trained[\w ]{20,60}…$/);
  });

  it('shows text added or removed at an end', () => {
    expect(differingParts(long, `${long}Ring first.`).is).toMatch(/^….*week\. Ring first\.$/);
    expect(differingParts(long, '').is).toBe('');
    expect(differingParts('', long).is).toMatch(/^A trained.{280,300}…$/);
  });

  it('leaves short texts whole', () => {
    expect(differingParts('£5', 'free')).toEqual({ was: '£5', is: 'free' });
  });

  it('does not cut an emoji in half', () => {
    const { was, is } = differingParts(`${'🎨'.repeat(200)}a`, `${'🎨'.repeat(200)}b`);
    expect([was.isWellFormed(), is.isWellFormed()]).toEqual([true, true]);
    expect([was.at(-1), is.at(-1)]).toEqual(['a', 'b']);
  });
});
