import { exampleOrigin } from '../platform/http/index.ts';
import type { FieldError } from '../platform/problem/index.ts';
import type { ApiDocument } from './document/openapi.ts';
import { asOpenApi30 } from './document/openapi-30.ts';
import type { Operation } from './document/operations.ts';
import { exampleOfRefusal } from './document/refusals.ts';
import {
  type Answer,
  type Body,
  type Codes,
  type Components,
  type NamedPart,
  namesOfParameters,
  operationsOf,
  type WithFields,
} from './document-parts.ts';

/**
 * The document of one call for the page, with the components that it refers to: Swagger UI shows it in a fraction of the
 * time that it takes for all of them. Each refusal has one example.
 * @returns undefined if there is no such call.
 */
export function documentOfOperation(document: ApiDocument, operationId: string): object | undefined {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
  if (!found) return undefined;
  const { servers, components } = document;
  const { securitySchemes } = components as Components;
  const { path, method, operation } = found;
  const shared = withoutExampleVersion(components as Components);
  const shown = {
    ...operation,
    ...(operationId === 'createReferral' && { requestBody: forAnotherTry(operation.requestBody as Body) }),
    // The page has its description already. It is alone, so without its group.
    description: undefined,
    tags: undefined,
    responses: Object.fromEntries(
      Object.entries(operation.responses as Record<string, Answer>).map(([status, answer]) => [
        status,
        /^2/.test(status) ? answer : refusalOf(document, operation, status, answer),
      ]),
    ),
  };
  return asOpenApi30({
    openapi: '3.0.4',
    info: { title: 'Onward', version: (document.info as { version: string }).version },
    servers,
    paths: { [path]: { [method]: shown } },
    components: { ...componentsOf(shared, shown), securitySchemes },
  }) as object;
}

/** An example of If-Match is the version of another referral: the page fills in that of the one whose id is typed. */
function withoutExampleVersion(components: Components): Components {
  const parameters = Object.entries(components.parameters ?? {}).map(([name, parameter]) => {
    const {
      name: header,
      example: _,
      ...rest
    } = parameter as NamedPart & { example?: string; description?: string };
    if (header?.toLowerCase() !== 'if-match') return [name, parameter];
    const description = `${rest.description ?? ''} This page fills it in once you have read what you change.`;
    return [name, { ...rest, name: header, description: description.trim() }];
  });
  return { ...components, parameters: Object.fromEntries(parameters) };
}

/** The example person may have been referred already, by the guide’s first program or on this page. */
function forAnotherTry({ content, ...rest }: Body): Body {
  const tried = Object.entries(content).map(([type, media]) => [
    type,
    { ...media, example: { ...media.example, allow_duplicate: true } },
  ]);
  return { ...rest, content: Object.fromEntries(tried) };
}

/**
 * A refusal in the words of this call, with its headers and an example. Several would take Swagger UI twice the time;
 * the page of each code has its own.
 */
function refusalOf(
  document: ApiDocument,
  operation: Operation,
  status: string,
  { $ref, description }: Answer,
): Answer {
  const { responses } = document.components as { responses: Record<string, Answer> };
  const shared = responses[$ref?.split('/').at(-1) ?? ''];
  const [type, media] = Object.entries(shared?.content ?? {})[0] ?? [];
  const codes = (operation as Codes)['x-problem-codes']?.[status] ?? shared?.['x-problem-codes'] ?? [];
  const baseUrl = (document.servers as { url: string }[])[0]!.url;
  const [code] = codes;
  const mistake = code === 'bad-request' ? mistakeIn(document, operation) : undefined;
  const example = code !== undefined && {
    ...JSON.parse(JSON.stringify(exampleOfRefusal(code)).replaceAll(exampleOrigin, baseUrl)),
    ...(mistake && { errors: [mistake] }),
  };
  return {
    description: description ?? shared?.description,
    ...(shared?.headers && { headers: shared.headers }),
    ...(type && { content: { [type]: { schema: media!.schema, ...(example && { example }) } } }),
  };
}

/**
 * A mistake that can be made in this call, for the example of a 400: a field that is missing, or a parameter that is wrong. Undefined where
 * the shared example fits, which is of a referral’s body.
 */
function mistakeIn(document: ApiDocument, operation: Operation): FieldError | undefined {
  const { schemas } = document.components as { schemas: Record<string, WithFields> };
  const [body] = Object.values((operation.requestBody as Body | undefined)?.content ?? {});
  const { $ref, ...inline } = body?.schema ?? {};
  const schema: WithFields = $ref === undefined ? inline : schemas[$ref.split('/').at(-1)!]!;
  if (schema.oneOf) return undefined;
  if (schema.required?.[0]) return { pointer: `/${schema.required[0]}`, message: 'is required' };
  const names = namesOfParameters(document, operation);
  const number = names.find((name) => name === 'limit' || name === 'per_page');
  if (number) return { pointer: `/query/${number}`, message: 'must be a whole number' };
  if (names.some((name) => name.toLowerCase() === 'if-match'))
    return { pointer: '/headers/if-match', message: 'must be an ETag of the referral, such as "1"' };
  return { pointer: '/query/colour', message: 'is not a known query parameter; leave it out' };
}

/** The components that a part of the document refers to, and those that they refer to. */
function componentsOf(all: Components, part: unknown): Components {
  const found: Components = {};
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string') {
      const [kind = '', name = ''] = $ref.split('/').slice(-2);
      found[kind] ??= {};
      if (found[kind][name] === undefined) {
        found[kind][name] = all[kind]?.[name];
        collect(found[kind][name]);
      }
    }
    for (const each of Object.values(value)) collect(each);
  };
  collect(part);
  return found;
}
