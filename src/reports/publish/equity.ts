import type { Published } from './suppress.ts';

/** The figures that are compared, where they are known for both. Days and counts have no interval. */
const compared: readonly string[] = ['A1', 'T1', 'T2', 'T3', 'F1', 'F3', 'F4', 'F5'];
const [most, least] = ['imd:1', 'imd:5'];

/** Figure E1: each figure of the most deprived fifth divided by that of the least deprived one, from published rows alone. */
export function equityOf(rows: readonly Published[]): Published[] {
  const of = (id: string, stratum: string) => rows.find((row) => row.id === id && row.stratum === stratum);
  return compared.flatMap((id): Published[] => {
    const [one, other] = [of(id, most!), of(id, least!)];
    // Without any decile there is nothing to compare.
    if (!one || !other || (one.n === 0 && other.n === 0)) return [];
    const n = one.n === null || other.n === null ? null : one.n + other.n;
    return [{ id: 'E1', stratum: id, n, numerator: null, ...ratioOf(one, other) }];
  });
}

function ratioOf(one: Published, other: Published): Pick<Published, 'value' | 'low' | 'high'> {
  if (one.value === null || other.value === null || other.value === 0)
    return { value: null, low: null, high: null };
  const value = one.value / other.value;
  const [a, n, b, m] = [one.numerator, one.n, other.numerator, other.n];
  if (!a || !n || !b || !m) return { value, low: null, high: null };
  // Katz: the logarithm of a ratio of two shares is nearly normal.
  const half = 1.959964 * Math.sqrt(1 / a - 1 / n + 1 / b - 1 / m);
  return { value, low: value * Math.exp(-half), high: value * Math.exp(half) };
}
