import { editDistance } from '../../edit-distance.ts';
import type { FieldError } from '../../problem/index.ts';

/** The parts of a JSON Schema that lead to the fields of a body. */
type Shape = {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  refusedNames?: Readonly<Record<string, string>>;
};

/**
 * Says more about mistakes that clients often make: a name in camelCase or with a slip, null where a field is to be left out,
 * a name that another call takes (`refusedNames`), and a parameter that was sent twice. It repeats no value.
 * @param prefix of the pointers, such as `/query`
 */
export function explainMistakes(
  schema: Shape,
  value: unknown,
  prefix: string,
): (error: FieldError) => FieldError {
  return (error) => {
    const parts = error.pointer.slice(prefix.length).split('/').slice(1).map(unescapePointer);
    if (error.code === 'additionalProperties') return suggestName(error, schema, parts);
    const wrong = parts.reduce((inner: unknown, part) => Object(inner)[part], value);
    if (wrong === null && parts.length > 0) {
      return { ...error, message: `${error.message}, and not null: leave an optional field out` };
    }
    const isRepeated = prefix === '/query' && Array.isArray(wrong) && takesOne(schema, parts[0]!);
    return isRepeated ? { ...error, message: 'must be given once' } : error;
  };
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** “Must be a text” would not tell why: a parameter that was sent twice arrives as a list. */
function takesOne({ properties = {} }: Shape, name: string): boolean {
  const one = properties[name];
  return one !== undefined && !('items' in one || 'anyOf' in one);
}

function suggestName(error: FieldError, schema: Shape, parts: readonly string[]): FieldError {
  const objects = parts
    .slice(0, -1)
    .reduce((shapes, part) => shapes.flatMap((each) => inside(each, part)), [schema]);
  const shapes = objects.flatMap(alternatives);
  const name = parts.at(-1)!;
  const [refused] = shapes.flatMap(({ refusedNames = {} }) =>
    Object.hasOwn(refusedNames, name) ? refusedNames[name]! : [],
  );
  if (refused) return { ...error, message: refused };
  const known = shapes.flatMap(({ properties = {} }) => Object.keys(properties));
  const meant = nearestName(name, known);
  if (meant === undefined) return error;
  return { ...error, message: error.message.replace('leave it out', `did you mean ${meant}?`) };
}

/** The shapes of a field, or of an entry of a list. */
function inside(shape: Shape, part: string): Shape[] {
  return alternatives(shape).flatMap(({ properties = {}, items }) =>
    [Object.hasOwn(properties, part) ? properties[part] : undefined, items].filter(
      (each) => each !== undefined,
    ),
  );
}

function alternatives(shape: Shape): Shape[] {
  const { anyOf = [], oneOf = [], allOf = [] } = shape;
  return [shape, ...[...anyOf, ...oneOf, ...allOf].flatMap(alternatives)];
}

/** In a shorter name, two slips may make another word of it. */
const minLengthForTwoSlips = 7;

/** The known name that is written differently, such as `service_id` for `serviceId`, or that is a slip or two away. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const keepLettersAndDigits = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const typed = keepLettersAndDigits(name);
  const ranked = known
    .map((candidate) => ({ candidate, slips: editDistance(typed, keepLettersAndDigits(candidate)) }))
    .sort((one, other) => one.slips - other.slips);
  const maxSlips = typed.length >= minLengthForTwoSlips ? 2 : 1;
  return ranked[0] && ranked[0].slips <= maxSlips ? ranked[0].candidate : undefined;
}
