import type { TSchema } from 'typebox';

/**
 * The texts of a query or of path parameters as the types that the schema asks for, where a text is exactly one: `7` is
 * a whole number, `7.5` and `7 apples` stay texts, and so are refused with their place.
 */
export function convertTexts(schema: TSchema, value: unknown): unknown {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  if (value === null || typeof value !== 'object' || isEmpty(value)) return value ?? {};
  const entries = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, text]) => [name, convert(properties[name]?.type, text)]));
}

function convert(type: string | undefined, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  // A parameter that may be repeated, and was given once.
  if (type === 'array') return [text];
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Most calls have no query at all. */
function isEmpty(value: object): boolean {
  for (const _name in value) return false;
  return true;
}
