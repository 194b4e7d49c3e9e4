// The chapter “Changes” of the guide: what was added to the API since its first published document, for developers of clients.

type Json = Record<string, unknown>;
type Operation = {
  operationId: string;
  summary: string;
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
};
export type ApiDocument = { paths: Record<string, Record<string, Operation>> };

const introduction = `# Changes

What was added to the API since its first published document. It is made from the difference between the two documents, so nothing is missing.
Nothing that clients relied on was removed.
`;

/** @returns the chapter, in Markdown. */
export function describeChanges(before: ApiDocument, now: ApiDocument): string {
  const old = new Map(callsOf(before).map((call) => [call.name, call]));
  const added = callsOf(now).filter(({ name }) => !old.has(name));
  const changes = new Map<string, string[]>();
  for (const call of callsOf(now)) {
    const earlier = old.get(call.name);
    if (!earlier) continue;
    for (const line of additionsTo(before, earlier.operation, now, call.operation))
      changes.set(line, [...(changes.get(line) ?? []), call.name]);
  }
  const newCalls = added.map(({ name, operation }) => `| \`${name}\` | ${operation.summary} |`);
  const newParts = [...changes].map(([line, calls]) => `| ${line} | ${inWords(calls)} |`).sort();
  return [
    introduction,
    '## New calls\n',
    '| call | what it does |\n|---|---|',
    ...newCalls,
    '\n## New fields, parameters and statuses\n',
    '| what | calls |\n|---|---|',
    ...newParts,
    '',
  ].join('\n');
}

function callsOf({ paths }: ApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

function inWords(calls: readonly string[]): string {
  const shown = calls.slice(0, 3).map((call) => `\`${call}\``);
  return calls.length > 3 ? `${shown.join(', ')} and ${calls.length - 3} more` : shown.join(', ');
}

function additionsTo(
  before: ApiDocument,
  earlier: Operation,
  now: ApiDocument,
  current: Operation,
): string[] {
  const news = (kind: string, old: Set<string>, names: Set<string>) =>
    outermost([...names].filter((name) => !old.has(name) && !isOnlyDescribed(name, old))).map(
      (name) => `${kind} \`${name}\``,
    );
  const statuses = ({ responses }: Operation) =>
    new Set(Object.keys(responses).filter((each) => each !== 'default'));
  return [
    ...news('parameter', parametersOf(before, earlier), parametersOf(now, current)),
    ...news('field of the request', bodyOf(before, earlier), bodyOf(now, current)),
    ...news('field of the answer', answerOf(before, earlier), answerOf(now, current)),
    ...news('status', statuses(earlier), statuses(current)),
  ];
}

/** A field of something that was there before, with fields that the document did not describe. */
function isOnlyDescribed(name: string, old: ReadonlySet<string>): boolean {
  const around = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  return old.has(around) && ![...old].some((each) => each.startsWith(`${around}.`));
}

/** Leaves out the fields of a field that is itself new. */
function outermost(names: readonly string[]): string[] {
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)));
}

function parametersOf(document: ApiDocument, { parameters = [] }: Operation): Set<string> {
  return new Set(parameters.map((each) => String(resolved(document, each).name)));
}

function bodyOf(document: ApiDocument, { requestBody }: Operation): Set<string> {
  return requestBody ? fieldsIn(document, schemaOf(resolved(document, requestBody))) : new Set();
}

function answerOf(document: ApiDocument, { responses }: Operation): Set<string> {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return success ? fieldsIn(document, schemaOf(resolved(document, success))) : new Set();
}

function schemaOf({ content = {} }: { content?: Record<string, { schema?: Json }> } & Json): Json {
  return content['application/json']?.schema ?? Object.values(content)[0]?.schema ?? {};
}

function resolved(document: ApiDocument, part: Json): Json {
  if (typeof part.$ref !== 'string') return part;
  const found = part.$ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json>((at, name) => at[name] as Json, document as unknown as Json);
  return resolved(document, found);
}

/** Every field of a schema by its path, such as `patient.address.lines`. */
function fieldsIn(document: ApiDocument, schema: Json): Set<string> {
  const found = new Set<string>();
  const visit = (part: Json, path: string, above: readonly Json[]) => {
    const whole = resolved(document, part);
    if (above.includes(whole)) return;
    const inside = [...above, whole];
    for (const [name, field] of Object.entries((whole.properties ?? {}) as Record<string, Json>)) {
      const at = path === '' ? name : `${path}.${name}`;
      found.add(at);
      visit(field, at, inside);
    }
    if (whole.items) visit(whole.items as Json, path, inside);
    for (const choice of ['anyOf', 'oneOf', 'allOf'])
      for (const each of (whole[choice] ?? []) as Json[]) visit(each, path, inside);
  };
  visit(schema, '', []);
  return found;
}
