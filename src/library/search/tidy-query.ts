import { brokenParameters } from '../../platform/http/index.ts';
import { badRequest, type FieldError, Problem } from '../../platform/problem/index.ts';
import { momentOf } from '../import/check-record.ts';

/** The schema of a query: what of it is needed here. */
type QuerySchema = { properties: Readonly<Record<string, object>> };

/**
 * Makes the raw texts of a query ready for its schema: what the schema does not name is left out, since Open Referral
 * clients send what they like, and so is what is empty, since forms send it.
 * @param url as it was sent: of text that is not UTF-8 it alone still shows that.
 * @throws Problem `bad-request` for what the schema's conversion would let through: 1.5 as a page, or the character NUL.
 */
export function tidyQuery(
  { properties }: QuerySchema,
  raw: Readonly<Record<string, unknown>>,
  url = '',
): Record<string, unknown> {
  const given = Object.entries(raw).filter(
    ([name, value]) => Object.hasOwn(properties, name) && value !== '',
  );
  const broken = brokenParameters(url);
  const errors = given.flatMap(([name, value]): FieldError[] => {
    const complaints = [value].flat().map((each) => complaint(name, properties[name]!, String(each)));
    const message = broken.has(name)
      ? 'must be UTF-8, percent-encoded'
      : complaints.find((found) => found !== undefined);
    return message === undefined ? [] : [{ pointer: `/query/${name}`, message }];
  });
  if (errors.length > 0)
    throw new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
  return Object.fromEntries(
    given.map(([name, value]) => [name, name === 'modified_after' ? zoned(String(value)) : value]),
  );
}

function complaint(name: string, schema: { type?: unknown }, value: string): string | undefined {
  if (value.includes('\0')) return 'must not hold the character NUL';
  if (schema.type === 'integer' && !/^\d{1,10}$/.test(value)) return 'must be a whole number, 1 or more';
  if (schema.type === 'boolean' && value !== 'true' && value !== 'false') return 'must be true or false';
  if (name === 'modified_after' && !momentOf(zoned(value))) {
    return 'must be a moment such as 2026-11-21T09:30:00Z, or a day such as 2026-11-21';
  }
  return undefined;
}

/** In a query a plus sign stands for a space, and so does that of a time zone which was not encoded. */
function zoned(moment: string): string {
  return moment.replace(/ (\d\d:?\d\d)$/, '+$1');
}
