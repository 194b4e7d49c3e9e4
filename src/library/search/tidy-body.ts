import { type TObject, type TSchema, Type } from 'typebox';
import type { Reply, Request } from '../../platform/http/index.ts';
import { asSpelt } from './tidy-query.ts';

type Listed = TSchema & { type?: unknown; items?: TSchema & { enum?: readonly unknown[] } };

/** A body's schema as it is published: what is a list may be one value of it, as in a query. */
export function withSingles<Schema extends TObject>(schema: Schema): Schema {
  const single = ([name, each]: [string, Listed]) => {
    const { description, examples, ...list } = each as Listed & { description: string; examples: unknown };
    if (!list.items) return [name, each];
    return [name, Type.Optional(Type.Union([list, list.items], { description, examples }))];
  };
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties).map(single)) };
}

/** For a route's `preValidation`: makes lists of single values, and spells what is known as the schema does. */
export function tidiedBody({ properties }: TObject) {
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
