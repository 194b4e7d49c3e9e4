/** A JSON Schema, as far as the reference looks into it. */
export type Schema = {
  $ref?: string | undefined;
  $id?: string;
  /** The schema's name among the components of the document. */
  title?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  deprecated?: boolean;
  examples?: readonly unknown[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minProperties?: number;
  additionalProperties?: unknown;
  /** An empty body has a meaning of its own, so it is accepted only if it was sent on purpose. */
  mustBeSent?: true;
  /** What to say to a client that sends a field of another call, by its name. It is not in the document. */
  refusedNames?: Readonly<Record<string, string>>;
  // The four keywords below go into the document only: requests are not checked by them.
  /** The values that a text may have today, of a list that will grow. */
  knownValues?: readonly string[];
  /** The name, among the parameters of the document, of a parameter that several operations have. */
  parameter?: string;
  /** The schema, by its `$id`, whose fields this one has too. */
  base?: string;
  /** Rules between fields. The document describes them, and the action checks them. */
  rules?: Readonly<Record<string, unknown>>;
};
