import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldError } from '../../problem/index.ts';
import { namesIn, nonBlankPattern } from '../schemas.ts';

const maxErrors = 20;
export const notKnown = 'is not a known field; leave it out';
const notKnownInQuery = 'is not a known query parameter; leave it out';
/** The code of a text that is blank or contains a NUL. */
const notBlankCode = 'not-blank';

const formats: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-12-31',
  'date-time': 'a date and time such as 2026-11-21T09:30:00Z',
  email: 'an email address such as name@example.org',
  uuid: 'an identifier such as 0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f',
  time: 'a time such as 14:30',
  uri: 'an address such as https://example.org/',
};

const birthDateMessage = 'must be a date such as 1950-12-31';

// Filled while modules load and then constant: a room says beside its pattern what a text must be.
const wordsOfPatterns = new Map<string, string>();

/** Records what people are told whose text does not match the pattern of a schema. @returns the pattern */
export function describePattern(pattern: string, words: string): string {
  wordsOfPatterns.set(pattern, words);
  return pattern;
}

type Explain = (params: Record<string, unknown>) => string;

const explanations: Readonly<Record<string, Explain>> = {
  type: ({ type }) => `must be ${[type].flat().map(withArticle).join(' or ')}`,
  format: ({ format }) => `must be ${formats[String(format)] ?? `of the form ${format}`}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => `must have at least ${limit === 1 ? 'one entry' : `${limit} entries`}`,
  maxItems: ({ limit }) => `must have at most ${limit} entries`,
  minProperties: ({ limit }) => `must have at least ${limit === 1 ? 'one field' : `${limit} fields`}`,
  minimum: ({ limit }) => `must be ${limit} or more`,
  maximum: ({ limit }) => `must be ${limit} or less`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  pattern: ({ pattern }) => explainPattern(String(pattern)),
};

function explainPattern(pattern: string): string {
  const names = namesIn(pattern);
  if (names) return `must be one of ${names.join(', ')}, or several with commas between them`;
  if (pattern === nonBlankPattern) return 'must not be blank, and must have no NUL';
  return wordsOfPatterns.get(pattern) ?? 'is not of the expected form';
}

/** Turns the validator's errors into JSON pointers with a sentence that says what to do, and its keyword as the code. It repeats no value. */
export function describeErrors(errors: TLocalizedValidationError[], prefix: string): FieldError[] {
  // For "text or null" the validator reports "not text" and "not null"; the first is enough.
  const reported = new Set(errors.filter((error) => !isNullAlternative(error)).map(pathOf));
  // An empty text is blank as well; that it is empty is enough.
  const empty = new Set(errors.filter(({ keyword }) => keyword === 'minLength').map(pathOf));
  const useful = errors
    .filter((error) => !isNullAlternative(error) || !reported.has(pathOf(error)))
    .filter((error) => !isOtherAlternative(error, errors))
    .filter((error) => !isOfBlank(error) || !empty.has(pathOf(error)));
  const described = [...Map.groupBy(useful, ofWhatIsWrong).values()].flatMap((group) =>
    group.length > 1 ? [describeAlternatives(group, prefix)] : describe(group[0]!, prefix),
  );
  return described.slice(0, maxErrors);
}

const isOfBlank = ({ keyword, params }: TLocalizedValidationError) =>
  keyword === 'pattern' && (params as { pattern?: unknown }).pattern === nonBlankPattern;

/** The same for all alternatives of a union if the value fits none of them, so that they are described together. */
function ofWhatIsWrong(error: TLocalizedValidationError): unknown {
  const union = unionWithWrongType(error);
  return union === undefined ? error : `${error.instancePath} ${union}`;
}

function describeAlternatives(group: readonly TLocalizedValidationError[], prefix: string): FieldError {
  const [first, ...others] = group.flatMap((error) => describe(error, prefix));
  const more = others.map(({ message }) => message.replace(/^must be /, ''));
  return { ...first!, message: [first!.message, ...new Set(more)].join(', or ') };
}

function isNullAlternative({ keyword, params }: TLocalizedValidationError): boolean {
  return keyword === 'type' && (params as { type?: unknown }).type === 'null';
}

/** `anyOf` itself has no path, since the errors of its alternatives say what is wrong. */
function pathOf({ keyword, instancePath }: TLocalizedValidationError): string | undefined {
  return keyword === 'anyOf' ? undefined : instancePath;
}

/**
 * Whether an error belongs to an alternative of `anyOf` that the caller did not mean, because another has the right type. For a
 * number or an object with a name, an object without one is told that the name is missing, not that it is no number.
 */
function isOtherAlternative(error: TLocalizedValidationError, errors: TLocalizedValidationError[]): boolean {
  const union = unionWithWrongType(error);
  if (union === undefined) return false;
  const alternativeOf = ({ schemaPath }: TLocalizedValidationError) =>
    schemaPath.startsWith(union) ? schemaPath.slice(union.length).split('/')[0] : undefined;
  const ofWrongType = new Set(errors.filter((each) => unionWithWrongType(each) === union).map(alternativeOf));
  return errors.some((each) => alternativeOf(each) !== undefined && !ofWrongType.has(alternativeOf(each)));
}

/** The schema path of the `anyOf` whose alternative has the wrong type; otherwise undefined. */
function unionWithWrongType({ keyword, schemaPath }: TLocalizedValidationError): string | undefined {
  if (!['type', 'enum', 'const'].includes(keyword)) return undefined;
  return /^(.*\/anyOf\/)\d+$/.exec(schemaPath)?.[1];
}

function describe(error: TLocalizedValidationError, prefix: string): FieldError[] {
  const { keyword, instancePath } = error;
  const params = error.params as Record<string, unknown>;
  const at = prefix + instancePath;
  if (keyword === 'boolean' || keyword === 'anyOf') return [];
  if (keyword === 'required') {
    return (params.requiredProperties as string[]).map((name) => ({
      pointer: `${at}/${pointerPart(name)}`,
      message: 'is required',
      code: keyword,
    }));
  }
  if (keyword === 'additionalProperties') {
    return (params.additionalProperties as string[]).map((name) => ({
      pointer: `${at}/${pointerPart(name)}`,
      message: at === '/query' ? notKnownInQuery : notKnown,
      code: keyword,
    }));
  }
  const code = params.pattern === nonBlankPattern ? notBlankCode : keyword;
  // The example of a date is one that the field may have.
  const isBirthDate = keyword === 'format' && params.format === 'date' && at.endsWith('birth_date');
  const message = isBirthDate ? birthDateMessage : (explanations[keyword]?.(params) ?? error.message);
  return [{ pointer: at, message, code }];
}

/** A name as one part of a JSON pointer (RFC 6901). */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 100);
}

function withArticle(type: unknown): string {
  const names: Record<string, string> = {
    string: 'a text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  };
  return names[String(type)] ?? String(type);
}
