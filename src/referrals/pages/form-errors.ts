import type { FieldError } from '../../platform/problem/index.ts';

/** A form field, and what the page says about its errors. */
export type Field = {
  /** The pointer into the API’s body that this field fills. */
  readonly pointer?: string;
  /** The pointer into a part that follows from the answer. */
  readonly impliedPointer?: string;
  readonly label: string;
  /** The message when the field is empty. */
  readonly empty?: string;
  /** The message when the form of what was typed is wrong. */
  readonly wrong?: string;
  /** Messages for errors with certain codes. Other messages follow the label. */
  readonly messages?: Readonly<Record<string, string>>;
};

/** An answer that contradicts another. It would be lost, since forms send only what belongs to the choice. */
export function contradiction(pointer: string): FieldError {
  return { pointer, message: 'does not go with what was entered below it', code: 'contradiction' };
}

type PageError = { readonly text: string; readonly href?: string };
export type FormErrors<Name extends string = string> = {
  /** In the order of the page. */
  readonly summary: readonly PageError[];
  readonly fields: { readonly [Each in Name]?: { readonly text: string } };
};

export type FormFieldError<Name extends string> = { field: Name | undefined; text: string; target?: string };

/** The first error of each field, in the order of the page. Errors without a field come first. */
export function formErrors<Name extends string>(
  order: readonly Name[],
  errors: readonly FormFieldError<Name>[],
): FormErrors<Name> {
  const general = errors.filter(({ field }) => field === undefined).map(({ text }) => ({ text }));
  const first = order.flatMap((name) => errors.find(({ field }) => field === name) ?? []);
  return {
    summary: [...general, ...first.map(({ field, text, target }) => ({ text, href: `#${target ?? field}` }))],
    fields: Object.fromEntries(
      first.map(({ field, text }) => [field, { text }]),
    ) as FormErrors<Name>['fields'],
  };
}

/** The field for a pointer, or for a part of what the field fills. */
export function fieldAt<Name extends string>(
  fields: Readonly<Record<Name, Field>>,
  pointer: string,
): Name | undefined {
  const names = Object.keys(fields) as Name[];
  return names.find((name) => {
    const { pointer: at, impliedPointer } = fields[name];
    return (
      pointer === impliedPointer || (at !== undefined && (pointer === at || pointer.startsWith(`${at}/`)))
    );
  });
}

const badCharacterCodes = ['pattern', 'not-blank'];

/** The message names a limit, and so says more than the field's own words for what is wrong. */
const limitCodes = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'minimum',
  'maximum',
  'in-future',
  'too-early',
];

/** An error in the words of the page. */
export function errorText(field: Field, typed: string, { code = '', message }: FieldError): string {
  if (typed.trim() === '' && field.empty !== undefined) return field.empty;
  const ownMessage = field.messages?.[code];
  if (ownMessage !== undefined) return ownMessage;
  if (code === 'says-nothing') return message;
  if (badCharacterCodes.includes(code))
    return field.wrong ?? `${field.label} has a character that cannot be used`;
  if (limitCodes.includes(code)) return `${field.label} ${message}`;
  return field.wrong ?? `${field.label} ${message}`;
}
