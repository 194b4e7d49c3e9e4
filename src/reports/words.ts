import { measures, reasonWords } from '../referrals/index.ts';
import { type FigureId, figures } from './figures.ts';
import type { Figure } from './summarise.ts';

const partWords: Readonly<Record<string, string>> = {
  'active:referrers': 'People who made referrals',
  'active:practices': 'GP practices whose patients were referred',
  'active:services': 'Services referred to',
  'services:never': 'Services that got no referral',
  'side:service': 'The service’s side',
  'side:person': 'The person’s side',
  'field:risk': 'Whether anybody is at risk of serious harm',
  'field:contact': 'Whether it is safe to contact the person',
  'field:agreement': 'Who agreed, or changed the agreement, for somebody who may not decide alone',
  'field:gp_actions': 'Whether the GP practice has to do anything',
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
  if (kind === 'service') return names.get(code) ?? code;
  return code.replace('-', ' to ').replace('85+', '85 and over');
}

/** What a row of the first table is called. */
export function figureInWords({ id, stratum }: { id: FigureId; stratum: string }): string {
  if (id === 'T1') return `${figures.T1.title}, ${stratum === 'all' ? 'median' : '90th percentile'}`;
  if (id === 'T4') return `${figures.T4.title}, median`;
  return stratum === 'all' ? figures[id].title : partInWords(stratum);
}

/** Shown for a count of 1 to 7, and for what would reveal one. */
export const hidden = '*';

/** Why a figure has no value: it must not be shown, or it is not known. */
export function isHidden({ n, value, unit }: Figure, isNotRipe: boolean): boolean {
  if (value !== null || n === 0 || isNotRipe) return false;
  return n === null || unit === 'count' || unit === 'share';
}

const decimals = (value: number, digits: number) =>
  value.toLocaleString('en-GB', { maximumFractionDigits: digits }).replace('-', '−');

function inUnit(value: number, unit: Figure['unit']): string {
  if (unit === 'share') return `${decimals(100 * value, 1)} %`;
  return decimals(value, unit === 'count' ? 0 : 1);
}

export function valueInWords(figure: Figure, ripe: boolean): string {
  const isNotRipe = figure.id === 'F4' && !ripe;
  if (figure.value !== null) return inUnit(figure.value, figure.unit);
  if (isHidden(figure, isNotRipe)) return hidden;
  return isNotRipe ? 'Not ripe yet' : '–';
}

export function intervalInWords({ low, high, unit }: Figure): string {
  return low === null || high === null ? '' : `${inUnit(low, unit)} to ${inUnit(high, unit)}`;
}

/** How a figure differs from the same one of another period. */
export function changeInWords(now: Figure, before: Figure | undefined): string {
  if (now.value === null || before === undefined || before.value === null) return '';
  const by = now.value - before.value;
  const sign = by > 0 ? '+' : '';
  if (now.unit === 'share') return `${sign}${decimals(100 * by, 1)} points`;
  return `${sign}${decimals(by, now.unit === 'count' ? 0 : 1)}`;
}
