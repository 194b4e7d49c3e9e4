import { Type } from 'typebox';

const most = 20;

/** A parameter that takes one of these names or several, repeated or with commas between them. */
export function oneOrSeveral(names: readonly string[], description: string) {
  const any = names.map((name) => name.replaceAll('.', '\\.')).join('|');
  return Type.Optional(
    Type.Array(Type.String({ maxLength: 1000, pattern: `^(${any})(,(${any}))*$` }), {
      maxItems: most,
      description: `${description}, repeated or separated by commas: ${names.join(', ')}.`,
    }),
  );
}

/** The names that such a parameter has. */
export function severalOf(given: readonly string[] | undefined): string[] | undefined {
  return given?.flatMap((each) => each.split(','));
}

/** The names that the pattern of such a parameter takes; none where it is another pattern. */
export function namesIn(pattern: string): string[] | undefined {
  const [, any] = /^\^\(([^()]+)\)\(,\(\1\)\)\*\$$/.exec(pattern) ?? [];
  return any?.replaceAll('\\.', '.').split('|');
}
