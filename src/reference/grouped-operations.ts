import { Marked } from 'marked';
import { exampleOrigin } from '../platform/http/index.ts';
import { allProblems } from '../platform/problem/index.ts';
import type { ApiDocument } from './document/openapi.ts';
import { asOpenApi30 } from './document/openapi-30.ts';
import { groupOf, type OperationGroup, operationGroups } from './document/operation-groups.ts';
import type { Operation } from './document/operations.ts';
import { exampleOfRefusal } from './document/refusals.ts';

/** A call, as the list of the reference page shows it before Swagger UI is asked for. */
type ListedOperation = {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  /** HTML, made of the Markdown in the route's schema. */
  description: string;
  refusals: { code: string; status: number; title: string }[];
  /** The names of its parameters, headers and fields, for the filter. */
  words: string;
  /** The site makes it, to an address of the client’s. */
  isWebhook: boolean;
};

/** The calls of one group. */
export type Group = Pick<OperationGroup, 'id' | 'title' | 'about'> & { operations: ListedOperation[] };

/** Every call of the document, by group, in the order of the groups and of the document. */
export function groupOperations(document: ApiDocument): Group[] {
  const byGroup = new Map<string, ListedOperation[]>();
  const kinds = new Map(allProblems().map((kind) => [kind.type, kind]));
  for (const { path, method, operation } of operationsOf(document)) {
    const { id } = groupOf(operation.operationId, (operation.tags ?? []) as string[]);
    byGroup.set(id, [
      ...(byGroup.get(id) ?? []),
      toListedOperation(document, kinds, { path, method, operation }),
    ]);
  }
  return operationGroups
    .filter(({ id }) => byGroup.has(id))
    .map(({ id, title, about, operations: named }) => {
      const operations = byGroup.get(id)!;
      // Where calls are named, their order is that in which somebody needs them.
      const position = ({ id: name }: ListedOperation) => (named ?? []).indexOf(name);
      return { id, title, about, operations: operations.toSorted((a, b) => position(a) - position(b)) };
    });
}

/** The calls that may be refused with a problem. */
export function operationsRefusedWith(code: string, groups: readonly Group[]): ListedOperation[] {
  return groups
    .flatMap(({ operations }) => operations)
    .filter(({ refusals }) => refusals.some((refusal) => refusal.code === code));
}

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
    } = parameter as Named & { example?: string; description?: string };
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
  const example =
    code !== undefined &&
    JSON.parse(JSON.stringify(exampleOfRefusal(code)).replaceAll(exampleOrigin, baseUrl));
  return {
    description: description ?? shared?.description,
    ...(shared?.headers && { headers: shared.headers }),
    ...(type && { content: { [type]: { schema: media!.schema, ...(example && { example }) } } }),
  };
}

/** Stands for an address of the client’s own. */
const webhookPath = '/your/webhook';

/** The calls of clients, and the one that the site makes to them. */
function operationsOf({ paths, webhooks }: ApiDocument) {
  const all = { ...paths, [webhookPath]: (webhooks as ApiDocument['paths']).event! };
  return Object.entries(all).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

const markdown = new Marked();

type Kinds = ReadonlyMap<string, ReturnType<typeof allProblems>[number]>;

function toListedOperation(
  document: ApiDocument,
  kinds: Kinds,
  { path, method, operation }: ReturnType<typeof operationsOf>[number],
): ListedOperation {
  const { operationId, tags, summary, description } = operation;
  return {
    id: operationId,
    tag: (tags as string[])[0]!.replaceAll(' ', '_'),
    method: method.toUpperCase(),
    path,
    summary: String(summary),
    description: markdown.parse(String(description)) as string,
    refusals: refusalsOf(document, kinds, operation),
    words: wordsOf(document, operation),
    isWebhook: path === webhookPath,
  };
}

type Codes = { 'x-problem-codes'?: Record<string, readonly string[]> };
type Answer = {
  $ref?: string;
  description?: string | undefined;
  headers?: object;
  content?: Record<string, { schema?: object | undefined; example?: object }>;
  'x-problem-codes'?: readonly string[];
};

type Named = { $ref?: string; name?: string };
type Body = { content: Record<string, { schema?: { $ref?: string }; example?: object }> };
type WithFields = { $ref?: string; properties?: object; oneOf?: WithFields[] };

/** Words that people look for, and that the page does not have. */
const otherWords: Readonly<Record<string, string>> = {
  attachFile: 'upload',
  removeAttachment: 'delete',
  listAttachments: 'download',
  getAttachment: 'download',
  listEvents: 'poll polling',
  refreshToken: 'expired token oauth',
  getTokenStatus: 'whoami expired token',
  searchServices: 'find',
  searchReferrals: 'lookup',
};

type Headers = Record<string, unknown>;

/** What somebody may look for beside the words that the page shows of a call. */
function wordsOf(
  { components }: ApiDocument,
  { operationId, parameters = [], requestBody, responses }: Operation,
): string {
  const { parameters: shared, schemas } = components as {
    parameters: Record<string, Named>;
    schemas: Record<string, WithFields>;
  };
  const names = (parameters as Named[]).map(
    (each) => each.name ?? shared[each.$ref!.split('/').at(-1)!]!.name!,
  );
  const [body] = Object.values((requestBody as Body | undefined)?.content ?? {});
  const fieldsOf = ({ $ref, properties = {}, oneOf = [] }: WithFields): string[] =>
    $ref === undefined
      ? [...Object.keys(properties), ...oneOf.flatMap(fieldsOf)]
      : fieldsOf(schemas[$ref.split('/').at(-1)!] ?? {});
  const fields = [...new Set(fieldsOf(body?.schema ?? {}))];
  const { responses: answers } = components as { responses: Record<string, { headers?: Headers }> };
  const headers = Object.values(responses as Record<string, { $ref?: string; headers?: Headers }>).flatMap(
    (answer) => Object.keys(answer.headers ?? answers[answer.$ref?.split('/').at(-1) ?? '']?.headers ?? {}),
  );
  const isPaged = names.some((name) => name === 'cursor' || name === 'per_page');
  return [
    ...new Set([...names, ...fields, ...headers.map((name) => name.toLowerCase())]),
    ...(isPaged ? ['paging', 'pages'] : []),
    ...(otherWords[operationId] ? [otherWords[operationId]] : []),
  ].join(' ');
}

/** The problems that a call may be answered with, by status: its own, or those of the shared answer. */
function refusalsOf(document: ApiDocument, kinds: Kinds, operation: Operation): ListedOperation['refusals'] {
  const { responses: shared } = document.components as { responses: Record<string, Answer> };
  const own = (operation as Codes)['x-problem-codes'] ?? {};
  const codes = Object.entries(operation.responses as Record<string, Answer>).flatMap(([status, answer]) => {
    const name = answer.$ref?.split('/').at(-1) ?? '';
    return own[status] ?? answer['x-problem-codes'] ?? shared[name]?.['x-problem-codes'] ?? [];
  });
  return [...new Set(codes)].flatMap((code) => {
    const kind = kinds.get(code);
    return kind ? [{ code, status: kind.status, title: kind.title }] : [];
  });
}

type Components = Record<string, Record<string, unknown>>;

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
