import type { ApiDocument } from './document/openapi.ts';
import type { Operation } from './document/operations.ts';

// What the pages read of the document.

/** The codes of refusals by status, where they differ from those of the shared answer. */
export type Codes = { 'x-problem-codes'?: Record<string, readonly string[]> };
export type Answer = {
  $ref?: string;
  description?: string | undefined;
  headers?: object;
  content?: Record<string, { schema?: object | undefined; example?: object }>;
  'x-problem-codes'?: readonly string[];
};
export type NamedPart = { $ref?: string; name?: string };
export type Body = { content: Record<string, { schema?: { $ref?: string }; example?: object }> };
export type WithFields = {
  $ref?: string;
  properties?: object;
  required?: readonly string[];
  oneOf?: WithFields[];
};
export type Components = Record<string, Record<string, unknown>>;

/** Stands for an address of the client’s own. */
export const webhookPath = '/your/webhook';

/** The calls of clients, and the one that the site makes to them. */
export function operationsOf({ paths, webhooks }: ApiDocument) {
  const all = { ...paths, [webhookPath]: (webhooks as ApiDocument['paths']).event! };
  return Object.entries(all).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The names of the parameters and headers of a call. */
export function namesOfParameters({ components }: ApiDocument, { parameters = [] }: Operation): string[] {
  const { parameters: shared } = components as { parameters: Record<string, NamedPart> };
  return (parameters as NamedPart[]).map((each) => each.name ?? shared[each.$ref!.split('/').at(-1)!]!.name!);
}
