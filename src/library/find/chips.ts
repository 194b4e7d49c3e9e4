import { dayCodes, dayNames } from '../hours/week.ts';
import { capacityNames } from '../search/filter-parameters.ts';
import type { Asked } from './asked.ts';

/** One thing that narrows the list, and what is asked for without it. */
export type Chip = { text: string; without: Asked };

/** All that the list is narrowed by. @param termName what the chosen term is called */
export function chipsOf(asked: Asked, termName: string | undefined): Chip[] {
  const { search, postcode, within, termId, days, time, capacities, accepting, age } = asked;
  const chip = (text: string, change: Partial<Asked>): Chip => ({
    text,
    without: { ...asked, page: 1, ...change },
  });
  const miles = within === '1' ? '1 mile' : `${within} miles`;
  return [
    ...(search === '' ? [] : [chip(`“${search}”`, { search: '' })]),
    ...(postcode === '' ? [] : [chip(`Near ${postcode}`, { postcode: '', within: undefined })]),
    ...(within && postcode !== '' ? [chip(`Within ${miles}`, { within: undefined })] : []),
    ...(termId === '' ? [] : [chip(termName ?? 'A need that the library does not know', { termId: '' })]),
    ...days.map((day) =>
      chip(`Open on ${dayNames[dayCodes.indexOf(day)]}`, { days: days.filter((each) => each !== day) }),
    ),
    ...(time ? [chip(`Open in the ${time}`, { time: undefined })] : []),
    ...capacities.map((each) =>
      chip(capacityNames[each], { capacities: capacities.filter((other) => other !== each) }),
    ),
    ...(accepting ? [chip('Takes referrals', { accepting: false })] : []),
    ...(age === '' ? [] : [chip(`Aged ${age}`, { age: '' })]),
  ];
}
