/**
 * Lists that some sources write as one text, “English, Welsh”, with the field that an entry’s text belongs in. Ohana's
 * spreadsheets are of this kind, and HSDS before 3.0 had texts for some of them.
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
/** These may have commas within. */
const notSplit = new Set(['phones', 'contacts']);

/** @returns undefined for a field that does not hold a list. */
export function listFromText(name: string, text: string): Record<string, string>[] | undefined {
  const field = textFields[name];
  if (field === undefined) return undefined;
  const texts = notSplit.has(name) ? [text.trim()] : splitAtCommas(text);
  return texts.filter(Boolean).map((each) => ({ [field]: each }));
}

/** A text within such a list, as an entry of it. */
export function partFromText(name: string, text: string): Record<string, string> | undefined {
  const field = textFields[name];
  return field === undefined || text.trim() === '' ? undefined : { [field]: text.trim() };
}

/** At the commas that are in no brackets: “Chinese (Cantonese, Mandarin)” is one language. */
export function splitAtCommas(text: string): string[] {
  return (text.match(/(?:\([^()]*\)|[^,])+/g) ?? []).map((each) => each.trim()).filter(Boolean);
}
