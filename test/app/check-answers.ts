import { createHash } from 'node:crypto';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { App } from '../../src/platform/http/index.ts';
import type { Settings } from '../../src/platform/settings/index.ts';
import { documentOf } from '../../src/reference/index.ts';

type Injected = { method?: string; url?: string | { pathname?: string }; path?: string };
type Answer = { statusCode: number; headers: Record<string, unknown>; body: string };
type Content = Record<string, { schema?: AnySchemaObject }>;
type Response = {
  $ref?: string;
  headers?: Record<string, object>;
  content?: Content;
  'x-problem-codes'?: readonly string[];
};
type Operation = {
  operationId: string;
  responses: Record<string, Response>;
  'x-problem-codes'?: Record<string, readonly string[]>;
};

type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
};

/** Headers that an answer may have, but need not: a file may also be sent as JSON, and most 409 need no waiting. */
const sometimes = [
  'Idempotent-Replayed',
  'Content-Disposition',
  'Retry-After',
  'Onward-Check-First',
  'Onward-Simulated',
  'Deprecation',
  'Sunset',
];
/** Headers that an answer has only if the document says so. */
const described = ['ETag', 'Location', 'Retry-After', 'Content-Disposition', 'Idempotent-Replayed'];
/** Refusals have these too, and the document says so of successes alone. */
const describedOfSuccess = ['Deprecation', 'Sunset'];

/** A site's settings decide what its document says, and most say the same: those that differ in an address of a test's own. */
const bySettings = new Map<string, ReturnType<typeof answerChecker>>();
const byDocument = new Map<string, ReturnType<typeof answerChecker>>();

/**
 * Checks every answer of the API that a test gets against the document that the same site publishes: the status is
 * declared, and so are the content type and the code of a problem; the body is valid; the headers are there.
 */
export function checkAnswers(app: App, settings: Settings): void {
  const inject = app.inject.bind(app) as (options: Injected | string) => Promise<Answer>;
  let check: ReturnType<typeof answerChecker> | undefined;
  app.inject = (async (options: Injected | string) => {
    const answer = await inject(options);
    const { method = 'GET', url, path } = typeof options === 'string' ? { url: options } : options;
    const address = typeof url === 'object' ? (url.pathname ?? '') : (url ?? path ?? '');
    if (!address.startsWith('/api/')) return answer;
    check ??= checkerOf(app, settings);
    const fault = check(method.toLowerCase(), address, answer);
    if (fault) throw new Error(`${method} ${address.split('?')[0]} ${answer.statusCode}: ${fault}`);
    return answer;
  }) as never;
}

function checkerOf(app: App, settings: Settings) {
  const key = JSON.stringify({ ...settings, dataDir: '' });
  const known = bySettings.get(key) ?? checkerOfDocument(documentOf(app) as unknown as ApiDocument);
  bySettings.set(key, known);
  return known;
}

function checkerOfDocument(document: ApiDocument) {
  const key = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  const known = byDocument.get(key) ?? answerChecker(document);
  byDocument.set(key, known);
  return known;
}

function answerChecker(document: ApiDocument) {
  const ajv = formats.default(
    new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false } }).addSchema(
      document,
      'api',
    ),
  );
  const routes = Object.entries(document.paths).map(([path, methods]) => ({
    methods,
    // A name before a parameter: /lists/{id} and /{id} both fit /lists/1.
    parameters: path.split('{').length,
    shape: new RegExp(
      `^${path
        .replaceAll('.', '\\.')
        .replaceAll(/\{\w+\}/g, '[^/]+')
        .replace(/\/$/, '')}/?$`,
    ),
  }));
  routes.sort((one, other) => one.parameters - other.parameters);

  /** @returns what is wrong with the answer. */
  return (method: string, address: string, { statusCode, headers, body }: Answer): string | undefined => {
    const [path = ''] = address.split('?');
    const fits = routes.filter(({ shape }) => shape.test(path));
    // A list may also be sent line by line, as from its address that ends in .ndjson.
    const operation = fits.find(({ methods }) => methods[method])?.methods[method];
    if (!operation || String(headers['content-type']).startsWith('application/x-ndjson')) return undefined;
    const { responses, operationId, 'x-problem-codes': own = {} } = operation;
    const isFailure = statusCode >= 500;
    const declared = responses[statusCode] ?? (isFailure ? responses.default : undefined);
    if (!declared) return `${operationId} does not declare this status (${body.slice(0, 300)})`;
    const shared = document.components.responses[declared.$ref?.split('/').at(-1) ?? ''];
    const response = shared ?? declared;
    const missing = Object.keys(response.headers ?? {}).filter(
      (name) =>
        headers[name.toLowerCase()] === undefined &&
        !sometimes.includes(name) &&
        // A page this long is sent in pieces.
        !(name === 'ETag' && body.length > 8_000_000),
    );
    if (missing.length > 0) return `the answer lacks ${missing.join(', ')}`;
    const unsaid = [...described, ...(statusCode < 400 ? describedOfSuccess : [])].filter(
      (name) => headers[name.toLowerCase()] !== undefined && !Object.hasOwn(response.headers ?? {}, name),
    );
    if (unsaid.length > 0) return `${operationId} does not declare ${unsaid.join(', ')}`;
    if (!response.content) return body === '' ? undefined : `the answer is not empty (${body.slice(0, 300)})`;
    const [type = ''] = String(headers['content-type']).split(';');
    const content = response.content[type];
    if (!content) return `${operationId} does not declare ${type}`;
    if (!/json$/.test(type) || headers['content-encoding'] !== undefined) return undefined;
    const value = JSON.parse(body) as { code?: string };
    const reference = String(content.schema?.$ref);
    const isValid = ajv.getSchema(`api${reference}`)!;
    if (!isValid(value)) return `${reference}: ${ajv.errorsText(isValid.errors)} (${body.slice(0, 300)})`;
    const codes = own[statusCode] ?? shared?.['x-problem-codes'];
    if (statusCode >= 400 && !codes?.includes(value.code ?? ''))
      return `${operationId} does not declare the code ${value.code}`;
    return undefined;
  };
}
