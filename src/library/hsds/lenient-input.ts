import { type TObject, type TSchema, Type } from 'typebox';
import { brokenParameters, type Reply, type Request } from '../../platform/http/index.ts';
import { badRequest, type FieldError, wrongInput } from '../../platform/problem/index.ts';

/** The parts of a query's schema that matter here. */
type QuerySchema = { properties: Readonly<Record<string, Parameter>> };
type Parameter = { type?: unknown; enum?: readonly unknown[]; items?: object };

/**
 * Reads a raw query for its schema. Unknown parameters are dropped, because Open Referral clients send all kinds, and
 * empty ones, because forms send them.
 * @param url as it was sent: only there can one see text that is not UTF-8.
 * @throws Problem `bad-request` for values that the schema's conversion would accept: page 1.5, or the character NUL.
 */
export function readLenientQuery(
  { properties }: QuerySchema,
  raw: Readonly<Record<string, unknown>>,
  url = '',
): Record<string, unknown> {
  const parameters = Object.entries(raw).filter(
    ([name, value]) => Object.hasOwn(properties, name) && value !== '',
  );
  const broken = brokenParameters(url);
  const errors = parameters.flatMap(([name, value]): FieldError[] => {
    const messages = [value].flat().map((each) => errorIn(properties[name]!, String(each)));
    const message = broken.has(name)
      ? 'must be UTF-8, percent-encoded'
      : messages.find((error) => error !== undefined);
    return message === undefined ? [] : [{ pointer: `/query/${name}`, message }];
  });
  if (errors.length > 0) throw wrongInput(badRequest, errors);
  return Object.fromEntries(
    parameters.map(([name, value]) => [name, readLenientValue(name, properties[name]!, value)]),
  );
}

const moments = ['modified_after', 'open_at'];

function readLenientValue(name: string, { type, items }: Parameter, value: unknown): unknown {
  if (moments.includes(name)) return restoreTimeZone(String(value));
  // Python and .NET send True.
  if (type === 'boolean') return String(value).toLowerCase();
  return items && 'enum' in items ? readList(items.enum as unknown[], value) : value;
}

/** Values of an enum: repeated or separated by commas, in any case. */
function readList(known: readonly unknown[], value: unknown): unknown[] {
  const texts = [value].flat().flatMap((each) => String(each).split(','));
  return normaliseCase(known, texts.map((text) => text.trim()).filter(Boolean));
}

/** Writes known values as the schema does: clients send other cases. */
function normaliseCase(known: readonly unknown[], values: readonly unknown[]): unknown[] {
  const byLowerCase = new Map(known.map((each) => [String(each).toLowerCase(), each]));
  return values.map((value) => byLowerCase.get(String(value).toLowerCase()) ?? value);
}

function errorIn(schema: Parameter, value: string): string | undefined {
  if (value.includes('\0')) return 'must not hold the character NUL';
  if (schema.type === 'integer' && !/^\d{1,10}$/.test(value))
    return 'must be a whole number of at most 10 digits';
  if (schema.type === 'number' && !/^-?\d{1,15}(\.\d{1,15})?$/.test(value))
    return 'must be a number such as 12.5';
  if (schema.type === 'boolean' && !/^(true|false)$/i.test(value)) return 'must be true or false';
  return undefined;
}

/** A plus sign in a query means a space, so the sign of a time zone arrives as a space if it was not encoded. */
function restoreTimeZone(moment: string): string {
  return moment.replace(/ (\d\d:?\d\d)$/, '+$1');
}

type ListSchema = TSchema & { type?: unknown; items?: TSchema & { enum?: readonly unknown[] } };

/** A body's schema as it is published: a list may also be a single value, as in a query. */
export function acceptSingleValues<Schema extends TObject>(schema: Schema): Schema {
  const single = ([name, each]: [string, ListSchema]) => {
    const { description, examples, ...list } = each as ListSchema & {
      description: string;
      examples: unknown;
    };
    if (!list.items) return [name, each];
    return [name, Type.Optional(Type.Union([list, list.items], { description, examples }))];
  };
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties).map(single)) };
}

/** For a route's `preValidation`: turns single values into lists, and writes known values as the schema does. */
export function readLenientBodyHook({ properties }: TObject) {
  const lists = Object.entries(properties as Record<string, ListSchema>).filter(([, { items }]) => items);
  return (request: Request, _reply: Reply, done: () => void): void => {
    const body = request.body as Record<string, unknown> | null | undefined;
    if (body !== null && typeof body === 'object') {
      for (const [name, { items }] of lists) {
        const value = body[name];
        if (typeof value !== 'string' && !Array.isArray(value)) continue;
        body[name] = normaliseCase(items?.enum ?? [], Array.isArray(value) ? value : [value]);
      }
    }
    done();
  };
}
