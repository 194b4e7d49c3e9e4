import type { Problem } from '../problem/index.ts';

/** The problems to show with a form: the error summary, and the message beside each field. */
export type FormErrors = {
  readonly summary: readonly { readonly text: string; readonly href?: string }[];
  readonly fields: Readonly<Record<string, { readonly text: string }>>;
};

/** One problem of a form, beside its field. */
export function fieldError(name: string, text: string): FormErrors {
  return { summary: [{ text, href: `#${name}` }], fields: { [name]: { text } } };
}

/** What is wrong with a text that somebody has to type: it is missing, or has too many characters. `text` is trimmed. */
export function textError(
  name: string,
  text: string | undefined,
  { ifMissing, maxLength }: { ifMissing: string; maxLength: number },
): FormErrors | undefined {
  if (text === undefined) return fieldError(name, ifMissing);
  if ([...text].length > maxLength) return fieldError(name, `Use ${maxLength} characters or fewer`);
  return undefined;
}

/**
 * A refusal in the words of a form. `labels` has the form's fields in order. A message that begins with a capital stands by
 * itself; others follow the label of their field.
 */
export function toFormErrors(labels: Readonly<Record<string, string>>, problem: Problem): FormErrors {
  const order = Object.keys(labels);
  const errors = (problem.errors ?? [])
    .map(({ pointer, message }) => {
      const name = pointer.split('/')[1] ?? '';
      const label = labels[name];
      const text = label === undefined || /^[A-Z]/.test(message) ? message : `${label} ${message}`;
      return { name, text, href: label === undefined ? undefined : `#${name}` };
    })
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  if (errors.length === 0) {
    const text = [problem.kind.title, problem.detail].filter(Boolean).join('. ');
    return { summary: [{ text }], fields: {} };
  }
  return {
    summary: errors.map(({ text, href }) => ({ text, ...(href && { href }) })),
    fields: Object.fromEntries(errors.map(({ name, text }) => [name, { text }])),
  };
}
