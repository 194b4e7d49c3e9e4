import { escapeHtml } from '../../platform/html/index.ts';

/** Charts as SVG, without any style of their own: styles/reports.css colours them. Each has its figures in a table beside it. */

const width = 360;

/** A bar or column. `value` is a count, or the sign that it must not be shown; `before` is that of the period before, if the chart compares. */
export type Column = { label: string; value: number | string; before?: number | string };

const valueToDraw = ({ value }: Column) => (typeof value === 'number' ? value : 0);
const beforeToDraw = ({ before }: Column) => (typeof before === 'number' ? before : 0);

/** A column for each month. */
export function columnChart(columns: readonly Column[], title: string): string {
  const [height, top, bottom] = [180, 16, 22];
  const maxValue = Math.max(1, ...columns.map(valueToDraw));
  const step = width / Math.max(1, columns.length);
  const every = Math.ceil(columns.length / 8);
  const parts = columns.map((column, index) => {
    const { label, value } = column;
    const barHeight = ((height - top - bottom) * valueToDraw(column)) / maxValue;
    const middle = index * step + step / 2;
    const bar = `<rect class="onward-chart__bar" x="${round(middle - step * 0.35)}" y="${round(height - bottom - barHeight)}" width="${round(step * 0.7)}" height="${round(barHeight)}"/>`;
    if (index % every !== 0) return bar;
    return `${bar}${text(middle, height - 6, label, 'middle')}${text(middle, height - bottom - barHeight - 4, value.toLocaleString('en-GB'), 'middle')}`;
  });
  return svg(height, title, [
    `<line class="onward-chart__axis" x1="0" x2="${width}" y1="${height - bottom}" y2="${height - bottom}"/>`,
    ...parts,
  ]);
}

export type Share = {
  label: string;
  value: number;
  interval: { low: number; high: number } | undefined;
  /** The same of the period before; null if it is hidden or not known. */
  before: number | null;
  words: string;
};

/** A bar for each share from 0 to 100 %, with a line for its interval, and a mark where it was in the period before. */
export function shareChart(shares: readonly Share[], title: string): string {
  const rowHeight = 40;
  const parts = shares.flatMap(({ label, value, interval, before, words }, index) => {
    const y = index * rowHeight;
    return [
      text(0, y + 13, label, 'start'),
      text(width, y + 13, words, 'end'),
      `<rect class="onward-chart__ground" x="0" y="${y + 19}" width="${width}" height="12"/>`,
      `<rect class="onward-chart__bar" x="0" y="${y + 19}" width="${round(width * value)}" height="12"/>`,
      ...(interval
        ? [
            `<line class="onward-chart__interval" x1="${round(width * interval.low)}" x2="${round(width * interval.high)}" y1="${y + 25}" y2="${y + 25}"/>`,
          ]
        : []),
      ...(before === null ? [] : [markBefore(width * before, y)]),
    ];
  });
  return svg(shares.length * rowHeight, title, parts);
}

/** A bar for each count, and a mark where it was in the period before. */
export function countChart(bars: readonly Column[], title: string): string {
  const maxValue = Math.max(1, ...bars.flatMap((bar) => [valueToDraw(bar), beforeToDraw(bar)]));
  const rowHeight = 40;
  const parts = bars.flatMap((bar, index) => {
    const y = index * rowHeight;
    return [
      text(0, y + 13, bar.label, 'start'),
      text(width, y + 13, bar.value.toLocaleString('en-GB'), 'end'),
      `<rect class="onward-chart__ground" x="0" y="${y + 19}" width="${width}" height="12"/>`,
      `<rect class="onward-chart__bar" x="0" y="${y + 19}" width="${round((width * valueToDraw(bar)) / maxValue)}" height="12"/>`,
      ...(typeof bar.before === 'number' ? [markBefore((width * bar.before) / maxValue, y)] : []),
    ];
  });
  return svg(bars.length * rowHeight, title, parts);
}

function markBefore(x: number, y: number): string {
  const at = round(Math.min(Math.max(x, 1), width - 1));
  return `<line class="onward-chart__before" x1="${at}" x2="${at}" y1="${y + 16}" y2="${y + 34}"/>`;
}

function svg(height: number, title: string, parts: readonly string[]): string {
  return `<svg class="onward-chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">${parts.join('')}</svg>`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text class="onward-chart__text" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeHtml(words)}</text>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
