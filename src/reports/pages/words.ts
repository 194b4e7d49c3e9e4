import { measures, needs, reasonWords } from '../../referrals/index.ts';
import { type FigureId, figures } from '../model/figures.ts';
import type { Figure } from '../publish/summarise.ts';

const partWords: Readonly<Record<string, string>> = {
  'active:referrers': 'People who made referrals',
  'active:practices': 'GP practices whose patients were referred',
  'active:services': 'Services referred to',
  'services:never': 'Services that got no referral',
  'side:service': 'The service’s side',
  'side:person': 'The person’s side',
  'closed-without-contact': 'Closed without contact',
  'referred-again:30': 'Referred again within 30 days after the end',
  'says:person': 'Got help, as the person says',
  'within:1': 'GP practice told within 1 day',
  'within:5': 'GP practice told within 5 days',
  checked: 'Services checked in the last 180 days',
  availability: 'Services whose availability was set in the last 30 days',
  'declined:no-capacity': 'Declined because the service was full',
  'waiting:28': 'Waited for support for more than 28 days',
  'field:risk': 'Whether anybody is at risk of serious harm',
  'field:contact': 'Whether it is safe to contact the person',
  'field:agreement': 'Who agreed, or changed the agreement, for somebody who may not decide alone',
  'field:gp_actions': 'Whether the GP practice has to do anything',
  'field:nhs_number': 'NHS number',
  'field:telephone': 'Telephone number',
  'field:email': 'Email address',
  'field:gender': 'Gender',
  'field:ethnic_category': 'Ethnic category',
  'field:communication_needs': 'Communication needs',
  'field:gp_practice': 'GP practice',
  'field:needs': 'Needs',
  'field:goals': 'Goals',
  'field:what_matters': 'What matters to the person',
  'field:reasonable_adjustments': 'Reasonable adjustments',
  'field:episode': 'First or continuing',
  'field:source': 'Where the referral comes from',
  'field:method': 'How it was taken',
  'imd:1': 'Most deprived fifth',
  'imd:2': 'Second fifth',
  'imd:3': 'Third fifth',
  'imd:4': 'Fourth fifth',
  'imd:5': 'Least deprived fifth',
  'ethnicity:white': 'White',
  'ethnicity:mixed': 'Mixed or multiple',
  'ethnicity:asian': 'Asian or Asian British',
  'ethnicity:black': 'Black, Caribbean or African',
  'ethnicity:other': 'Other',
  'service:sensitive': 'Sensitive services, together',
  'interpreter:true': 'With an interpreter',
  'interpreter:false': 'Without an interpreter',
  'gender:female': 'Female',
  'gender:male': 'Male',
  'gender:other': 'Other',
  oldest: 'Days that the oldest has been overdue',
};

/** The part of a figure in words. @param names what services are called */
export function partInWords(stratum: string, names: ReadonlyMap<string, string> = new Map()): string {
  const [kind, code = ''] = [stratum.slice(0, stratum.indexOf(':')), stratum.slice(stratum.indexOf(':') + 1)];
  if (partWords[stratum]) return partWords[stratum];
  if (code === 'unknown') return 'Not known';
  if (kind === 'reason') return reasonWords[code as keyof typeof reasonWords] ?? code;
  if (kind === 'measure') return measures[code as keyof typeof measures]?.title ?? code;
  if (kind === 'need') return needs[code as keyof typeof needs]?.title ?? code;
  if (kind === 'district') return code;
  if (kind === 'service') return names.get(code) ?? code;
  return code.replace('-', ' to ').replace('85+', '85 and over');
}

/** The name of a row of the first table. */
export function figureInWords({ id, stratum }: { id: FigureId; stratum: string }): string {
  if (id === 'T1') return `${figures.T1.title}, ${stratum === 'all' ? 'for half of them' : 'for 9 in 10'}`;
  if ((id === 'T3' || id === 'T4') && stratum === 'all') return `${figures[id].title}, for half of them`;
  if (id === 'F5' && stratum === 'all') return `${figures.F5.title}, as the service says`;
  if (id === 'O3') return partInWords(stratum);
  if (id === 'E1') return figures[stratum as FigureId].title;
  return stratum === 'all' ? figures[id].title : partInWords(stratum);
}

/** Shown for a count of 1 to 7, and for what would reveal one. */
export const hiddenSign = '*';

/** Shown for what is not known yet, or where there was nothing to count. */
export const unknownSign = '–';

/** Whether a figure is about how journeys end, which is known only for a ripe period. */
export const needsRipeness = (id: FigureId) => id === 'F4' || id === 'F5';

/** Whether a figure has no value because it must not be shown. Otherwise it is not known. */
export function isHidden({ n, value, unit }: Figure, isNotRipe: boolean): boolean {
  if (value !== null || n === 0 || isNotRipe) return false;
  return n === null || unit === 'count' || unit === 'share' || unit === 'rate';
}

const formatNumber = (value: number, digits: number) =>
  value.toLocaleString('en-GB', { maximumFractionDigits: digits }).replace('-', '−');

function inUnit(value: number, unit: Figure['unit']): string {
  if (unit === 'share') return `${formatNumber(100 * value, 1)} %`;
  return formatNumber(value, unit === 'count' ? 0 : unit === 'ratio' ? 2 : 1);
}

/** What decides how a figure is said: whether its period is ripe, and whether its counts were rounded to protect people. */
export type Wording = { ripe: boolean; isRounded: boolean };

export function valueInWords(figure: Figure, { ripe, isRounded }: Wording): string {
  const isNotRipe = needsRipeness(figure.id) && !ripe;
  if (figure.value !== null) {
    // An answer within minutes must not read as “0 days”.
    if (figure.unit === 'days' && figure.value > 0 && figure.value < 0.05) return 'less than 0.1';
    // Rounded counts that are equal may differ by a few: 23 of 27 both become 25.
    const isAbout = isRounded && figure.unit === 'share' && figure.value === 1;
    return `${isAbout ? 'about ' : ''}${inUnit(figure.value, figure.unit)}`;
  }
  if (isHidden(figure, isNotRipe)) return hiddenSign;
  return isNotRipe ? 'Too early to say' : unknownSign;
}

/** An interval that has half of all percentages says nothing about the figure, but looks as if it did. */
const maxWidth = 0.5;

/** The interval of a figure, unless it is so wide that it says nothing. Exports have every interval. */
export function usefulInterval({ low, high, unit }: Figure): { low: number; high: number } | undefined {
  if (low === null || high === null) return undefined;
  return unit === 'share' && high - low > maxWidth ? undefined : { low, high };
}

export function intervalInWords(figure: Figure): string {
  const interval = usefulInterval(figure);
  if (interval) return `${inUnit(interval.low, figure.unit)} to ${inUnit(interval.high, figure.unit)}`;
  return figure.low === null ? '' : 'Too few to say';
}

/** How a figure differs from that of the period before; empty if one of them is hidden, because the difference would reveal it. */
export function changeInWords(figure: Figure, before: Figure | undefined): string {
  const { value, unit } = figure;
  if (value === null || before === undefined || before.value === null) return '';
  const difference = Math.abs(value - before.value);
  const amount = unit === 'share' ? `${formatNumber(100 * difference, 1)} points` : inUnit(difference, unit);
  if (/^0(?: |$)/.test(amount)) return 'same';
  return `${value > before.value ? 'up' : 'down'} ${amount}`;
}
