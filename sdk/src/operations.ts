import type { components, operations } from './generated/api.ts';
import { routes } from './generated/routes.ts';

// What each operation of the document takes and answers, and where it is.

export type Schemas = components['schemas'];
export type OperationId = keyof typeof routes;

/** The values of an open list that the document names. */
type Known<List> = List extends string ? (string extends List ? never : List) : never;
/** A value of an open list: a known one, or any `string`. A literal that is not known is a slip of the keyboard. */
export type Checked<Value extends string, List extends string> = string extends Value
  ? string
  : Value extends Known<List>
    ? Value
    : Known<List>;

/** A part of the parameters: optional when all that is in it is optional, and left out when there is nothing. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [name in Name]?: undefined }
  : Record<string, never> extends Value
    ? { [name in Name]?: Value | undefined }
    : { [name in Name]: Value };
type Parameters<Id extends OperationId, In extends 'path' | 'query' | 'header'> = Exclude<
  operations[Id]['parameters'][In],
  undefined
>;
/** A parameter that may be repeated may also be given once. */
type OneOrMore<Value> = Value extends readonly (infer Each)[] ? Each | readonly Each[] : Value;
type QueryValues<Values> = { [name in keyof Values]: OneOrMore<Values[name]> };
type ParameterPart<Value> = [Value] extends [never] ? undefined : Value;

type Content<Of> = Of extends { content: infer Types } ? Types : never;
type SentBody<Types> = Types extends { 'application/json': infer Json }
  ? Json
  : Types extends { 'multipart/form-data': unknown }
    ? FormData
    : never;
/** What a call sends as its body. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody?: infer Sending }
  ? SentBody<Content<Exclude<Sending, undefined>>>
  : never;

type Success = 200 | 201 | 202 | 204;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type ReceivedBody<Response> = Response extends { content: infer Types }
  ? Types extends { 'application/json': infer Json }
    ? Json
    : Types extends { 'application/x-ndjson': unknown }
      ? ReadableStream<Uint8Array>
      : [Types] extends [never]
        ? undefined
        : Blob
  : undefined;
/** What a call is answered: the JSON; a `Blob` for a file; nothing for 204. */
export type AnswerBody<Id extends OperationId> = {
  [status in Success & keyof Responses<Id>]: ReceivedBody<Responses<Id>[status]>;
}[Success & keyof Responses<Id>];

/** The parameters that a call takes in its address. */
export type Query<Id extends OperationId> = QueryValues<Parameters<Id, 'query'>>;

export type CallOptions<Id extends OperationId> = Part<'path', ParameterPart<Parameters<Id, 'path'>>> &
  Part<'query', ParameterPart<Query<Id>>> &
  Part<'header', ParameterPart<Parameters<Id, 'header'>>> &
  Part<'body', ParameterPart<Body<Id>>> &
  Settings;

export type Settings = {
  /** Ends the call, and waits between repetitions. */
  signal?: AbortSignal | undefined;
  /** A text of your own, such as the id of your record, for writes that take a key. Without one, a key is made. */
  idempotencyKey?: string | undefined;
};

export type Answer<T> = { readonly status: number; readonly headers: Headers; readonly body: T };

/** Options may be left out if nothing in them is required. */
export type Call = <Id extends OperationId>(
  operationId: Id,
  ...options: Record<string, never> extends CallOptions<Id>
    ? [options?: CallOptions<Id>]
    : [options: CallOptions<Id>]
) => Promise<Answer<AnswerBody<Id>>>;

export type Route = {
  method: string;
  path: string;
  /** Changes nothing, so it may be repeated. */
  reads: boolean;
  /** May be repeated with the same Idempotency-Key. */
  takesKey: boolean;
  /** Needs no access token. */
  open: boolean;
};

/** @throws TypeError when the document has no such operation. */
export function routeOf(operationId: string): Route {
  if (!Object.hasOwn(routes, operationId))
    throw new TypeError(
      `There is no operation ${operationId}. Their names are in the reference, at /api/docs of the site.`,
    );
  const [method = '', path = '', ...marks] = routes[operationId as OperationId].split(' ');
  return {
    method,
    path,
    reads: marks.includes('reads'),
    takesKey: marks.includes('key'),
    open: marks.includes('open'),
  };
}
