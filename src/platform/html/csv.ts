/**
 * A table as CSV (RFC 4180), with a line of names first. A text that a spreadsheet would take for a formula begins with an
 * apostrophe, because others may have typed it.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (values: readonly string[]) => values.map(cell).join(',');
  return `${[columns, ...rows].map(line).join('\r\n')}\r\n`;
}

function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
