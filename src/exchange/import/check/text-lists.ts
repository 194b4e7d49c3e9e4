/**
 * Lists that some sources write as one text, such as “English, Welsh”, and the field that takes the text of each entry.
 * Ohana's spreadsheets do so, and HSDS before 3.0 had texts for some of these lists.
 */
const textFields: Readonly<Record<string, string>> = {
  languages: 'name',
  service_areas: 'name',
  funding: 'source',
  required_documents: 'document',
  accessibility: 'description',
  payments_accepted: 'payment',
  phones: 'number',
  contacts: 'name',
};
/** A single entry of these may have commas in it. */
const notSplit = new Set(['phones', 'contacts']);

/** @returns undefined for a field that does not hold a list. */
export function listFromText(name: string, text: string): Record<string, string>[] | undefined {
  const field = textFields[name];
  if (field === undefined) return undefined;
  const texts = notSplit.has(name) ? [text.trim()] : splitAtCommas(text);
  return texts.filter(Boolean).map((each) => ({ [field]: each }));
}

/** Turns a text in the place of a list entry into an entry. */
export function partFromText(name: string, text: string): Record<string, string> | undefined {
  const field = textFields[name];
  return field === undefined || text.trim() === '' ? undefined : { [field]: text.trim() };
}

/** Splits a text at its commas, but not within brackets: “Chinese (Cantonese, Mandarin)” is one language. */
export function splitAtCommas(text: string): string[] {
  return (text.match(/(?:\([^()]*\)|[^,])+/g) ?? []).map((each) => each.trim()).filter(Boolean);
}
