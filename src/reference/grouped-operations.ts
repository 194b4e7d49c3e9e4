import { Marked } from 'marked';
import { allProblems } from '../platform/problem/index.ts';
import type { ApiDocument } from './document/openapi.ts';
import { groupOf, type OperationGroup, operationGroups } from './document/operation-groups.ts';
import type { Operation } from './document/operations.ts';
import {
  type Answer,
  type Body,
  type Codes,
  namesOfParameters,
  operationsOf,
  type WithFields,
  webhookPath,
} from './document-parts.ts';

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
function wordsOf(document: ApiDocument, operation: Operation): string {
  const { operationId, requestBody, responses } = operation;
  const { components } = document;
  const { schemas } = components as { schemas: Record<string, WithFields> };
  const names = namesOfParameters(document, operation);
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
