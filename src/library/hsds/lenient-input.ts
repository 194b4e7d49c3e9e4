import { type TObject, type TSchema, Type } from 'typebox';
import { brokenParameters, type Reply, type Request } from '../../platform/http/index.ts';
import { badRequest, type FieldError, Problem } from '../../platform/problem/index.ts';

/** The schema of a query: what of it is needed here. */
type QuerySchema = { properties: Readonly<Record<string, Parameter>> };
type Parameter = { type?: unknown; enum?: readonly unknown[]; items?: object };

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
    const complaints = [value].flat().map((each) => complaint(properties[name]!, String(each)));
    const message = broken.has(name)
      ? 'must be UTF-8, percent-encoded'
      : complaints.find((found) => found !== undefined);
    return message === undefined ? [] : [{ pointer: `/query/${name}`, message }];
  });
  if (errors.length > 0)
    throw new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
  return Object.fromEntries(given.map(([name, value]) => [name, tidyValue(name, properties[name]!, value)]));
}

const moments = ['modified_after', 'open_at'];

function tidyValue(name: string, { type, items }: Parameter, value: unknown): unknown {
  if (moments.includes(name)) return zoned(String(value));
  // Python and .NET write True.
  if (type === 'boolean') return String(value).toLowerCase();
  return items && 'enum' in items ? listed(items.enum as unknown[], value) : value;
}

/** Values of a list of known ones: repeated, or with commas between them, in capital letters or small ones. */
function listed(known: readonly unknown[], value: unknown): unknown[] {
  const texts = [value].flat().flatMap((each) => String(each).split(','));
  return asSpelt(known, texts.map((text) => text.trim()).filter(Boolean));
}

/** The values, and those which are known in the letters of the known one. */
function asSpelt(known: readonly unknown[], values: readonly unknown[]): unknown[] {
  const spelt = new Map(known.map((each) => [String(each).toLowerCase(), each]));
  return values.map((value) => spelt.get(String(value).toLowerCase()) ?? value);
}

function complaint(schema: Parameter, value: string): string | undefined {
  if (value.includes('\0')) return 'must not hold the character NUL';
  if (schema.type === 'integer' && !/^\d{1,10}$/.test(value)) return 'must be a whole number, 1 or more';
  if (schema.type === 'number' && !/^-?\d{1,15}(\.\d{1,15})?$/.test(value))
    return 'must be a number such as 12.5';
  if (schema.type === 'boolean' && !/^(true|false)$/i.test(value)) return 'must be true or false';
  return undefined;
}

/** In a query a plus sign stands for a space, and so does that of a time zone which was not encoded. */
function zoned(moment: string): string {
  return moment.replace(/ (\d\d:?\d\d)$/, '+$1');
}

type Listed = TSchema & { type?: unknown; items?: TSchema & { enum?: readonly unknown[] } };

/** A body's schema as it is published: what is a list may be one value of it, as in a query. */
export function acceptSingleValues<Schema extends TObject>(schema: Schema): Schema {
  const single = ([name, each]: [string, Listed]) => {
    const { description, examples, ...list } = each as Listed & { description: string; examples: unknown };
    if (!list.items) return [name, each];
    return [name, Type.Optional(Type.Union([list, list.items], { description, examples }))];
  };
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties).map(single)) };
}

/** For a route's `preValidation`: makes lists of single values, and spells what is known as the schema does. */
export function tidyBodyHook({ properties }: TObject) {
  const lists = Object.entries(properties as Record<string, Listed>).filter(([, { items }]) => items);
  return (request: Request, _reply: Reply, done: () => void): void => {
    const body = request.body as Record<string, unknown> | null | undefined;
    if (body !== null && typeof body === 'object') {
      for (const [name, { items }] of lists) {
        const value = body[name];
        if (typeof value !== 'string' && !Array.isArray(value)) continue;
        body[name] = asSpelt(items?.enum ?? [], Array.isArray(value) ? value : [value]);
      }
    }
    done();
  };
}
