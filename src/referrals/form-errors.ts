import type { FieldError } from '../platform/problem/index.ts';

/** A field of a form, and what its page says when something is wrong with it. */
export type Field = {
  /** Where what is typed here goes: a pointer into the body that the API takes. */
  readonly pointer?: string;
  readonly label: string;
  /** When nothing was typed. */
  readonly empty?: string;
  /** When what was typed does not have the right form. */
  readonly wrong?: string;
  /** Sentences for single messages of the checks; other messages follow the label as they are. */
  readonly says?: Readonly<Record<string, string>>;
};

type PageError = { readonly text: string; readonly href?: string };
export type FormErrors<Name extends string = string> = {
  /** In the order of the page, as the error summary lists them. */
  readonly summary: readonly PageError[];
  readonly fields: { readonly [Each in Name]?: { readonly text: string } };
};

export type FoundError<Name extends string> = { field: Name | undefined; text: string; target?: string };

/** One error a field, the first that was found, in the order of the page; what belongs to no field comes first. */
export function formErrors<Name extends string>(
  order: readonly Name[],
  found: readonly FoundError<Name>[],
): FormErrors<Name> {
  const general = found.filter(({ field }) => field === undefined).map(({ text }) => ({ text }));
  const first = order.flatMap((name) => found.find(({ field }) => field === name) ?? []);
  return {
    summary: [...general, ...first.map(({ field, text, target }) => ({ text, href: `#${target ?? field}` }))],
    fields: Object.fromEntries(
      first.map(({ field, text }) => [field, { text }]),
    ) as FormErrors<Name>['fields'],
  };
}

/** The field that a pointer leads to: the one that has it, or has what it is a part of. */
export function fieldAt<Name extends string>(
  fields: Readonly<Record<Name, Field>>,
  pointer: string,
): Name | undefined {
  const names = Object.keys(fields) as Name[];
  return names.find((name) => {
    const at = fields[name].pointer;
    return at !== undefined && (pointer === at || pointer.startsWith(`${at}/`));
  });
}

/** What is wrong, in the words of the page. */
export function sentence(field: Field, typed: string, { message }: FieldError): string {
  if (typed.trim() === '' && field.empty !== undefined) return field.empty;
  const said = field.says?.[message];
  if (said !== undefined) return said;
  if (message === 'is not of the expected form' || message.endsWith('no NUL')) {
    return field.wrong ?? `${field.label} has a character that cannot be used`;
  }
  if (/^must (have|not be in the future|be \d+ or)/.test(message)) return `${field.label} ${message}`;
  return field.wrong ?? `${field.label} ${message}`;
}
