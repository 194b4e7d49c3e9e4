/**
 * A table as CSV (RFC 4180), with a line of names first. A text that a spreadsheet would take for a formula begins with an
 * apostrophe, because others may have typed it.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows].map(csvLine).join('');
}

/** A line of CSV with its end. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
