// The chapter “Changes” of the guide: what was added to the API since its first published document, for developers of clients.

type Json = Record<string, unknown>;
type Operation = {
  operationId: string;
  summary: string;
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
};
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, unknown>;
  components?: { schemas?: Record<string, Json>; headers?: Record<string, Json> };
};

const introduction = `# Changes

What was added to the API since its first published document, of 23 November 2026. It is made from the difference between that document and this site's. Changes
that the documents do not show, such as how an answer is chosen, are not listed.

Each version has its own part, the newest first, and begins with what a client must do. There is one so far: **version 0.1.0, not released yet**.

## 0.1.0: what your client must do

A client of the first document is refused, or misses something, until it does this:

- Send \`risk\` with a new referral, and \`risk_acted_on\` with \`yes\` (\`422 risk-not-acted-on\`). Show \`does-not-fit\`, \`refers-themselves\`, \`person-mismatch\` and
  \`death-reported\` to the person who refers; each has an override with a reason.
- If a 429 has \`errors\`, stop: it is about an NHS number, and waiting does not help.
- Send \`If-Match\` with a change: 428 without it.
- Send \`risk\` with \`POST /api/referrals/{id}/reroute\` where it was \`yes\` before, and \`agreement\` where the person is under 16 or others had agreed (422).
- Do not send \`contact\` with \`safe: no\` and \`voicemail: true\`, nor a carer with \`share_with_gp\` together with \`contact.who_must_not_know\` (422).
- Leave the reason \`died\`, and confirming or taking back a death, to people: a system account gets \`403 needs-person\`, and may send \`POST …/died\`.
- Take \`410 events-gone\` and \`400 unknown-event\` as a reason to read everything once more.
- Delete your copies of a file on the event \`attachment.removed\`.
- Send \`Onward-Shown-To: person\` when a person has a referral on the screen. Otherwise reading it does not count as seen.

Three calls changed. The first two changed before the promises in [Versions](versions.md) were made.

- \`POST /api/patients/export\` answered with the record. Where the site holds something about the person, it answers 201 now with a copy that somebody reviews first.
- An operator who looks for a person with \`POST /api/referrals/search\` sends a \`reason\`; without one the answer is 422.
- \`PUT /api/referrals/{id}\` without any body is a 400. It was taken as an empty draft, and nobody meant that.

Changes of the document only; what is sent is the same: the webhooks of each type of event are one now, \`event\`; a few statuses that calls without a body never answered are gone, and so are
fields of a service that only the site sets.
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
    '## 0.1.0: new calls\n',
    '| call | what it does |\n|---|---|',
    ...newCalls,
    '\n## 0.1.0: new fields, parameters and statuses\n',
    '| what | calls |\n|---|---|',
    ...newParts,
    '\n## 0.1.0: new values of lists\n',
    '| field | values | calls |\n|---|---|---|',
    ...newValues(before, now, old),
    '\n## 0.1.0: new types of event\n',
    codeList(valuesOf(now, 'EventType').filter((type) => !(type in (before.webhooks ?? {})))),
    '\n## 0.1.0: problem codes\n',
    `The first document named none. Each problem has a \`code\` now, one of ${codeList(valuesOf(now, 'ProblemCode'))}. The list of a call is its \`x-problem-codes\`, or that of the answer that it shares with others.`,
    '\n## 0.1.0: headers of answers\n',
    `The first document named none. Declared now: ${codeList(Object.keys(now.components?.headers ?? {}))}.`,
    '\n## 0.1.0: deprecated\n',
    `${deprecatedIn(now).join('\n')}\n\n[Versions](versions.md) says until when they work.`,
    '',
  ].join('\n');
}

const codeList = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The values that an open list has today. */
function valuesOf(document: ApiDocument, name: string): string[] {
  const [known] = (document.components?.schemas?.[name]?.anyOf ?? []) as { enum?: string[] }[];
  return known?.enum ?? [];
}

/** The values that a field or parameter which was there before did not have. */
function newValues(
  before: ApiDocument,
  now: ApiDocument,
  old: ReadonlyMap<string, { operation: Operation }>,
) {
  const rows = new Map<string, string[]>();
  for (const { name, operation } of callsOf(now)) {
    const earlier = old.get(name);
    if (!earlier) continue;
    const known = listsOf(before, earlier.operation);
    for (const [field, values] of listsOf(now, operation)) {
      const earlierValues = known.get(field);
      const added = [...values].filter((value) => earlierValues && !earlierValues.has(value));
      if (added.length === 0) continue;
      const row = `| \`${field}\` | ${codeList(added)}`;
      rows.set(row, [...(rows.get(row) ?? []), name]);
    }
  }
  return [...rows].map(([row, calls]) => `${row} | ${inWords(calls)} |`).sort();
}

/** The lists of values of a call, by the path of the field or the name of the parameter. */
function listsOf(
  document: ApiDocument,
  { parameters = [], requestBody, responses }: Operation,
): Map<string, Set<string>> {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const parts: Json[] = [
    {
      properties: Object.fromEntries(
        parameters.map((each) => resolveRef(document, each)).map((each) => [each.name, each.schema]),
      ),
    },
    ...[requestBody, success].flatMap((part) => (part ? [schemaOf(resolveRef(document, part))] : [])),
  ];
  const lists = new Map<string, Set<string>>();
  for (const part of parts)
    visitFields(document, part, (field, { enum: values }) => {
      if (Array.isArray(values))
        lists.set(field, new Set([...(lists.get(field) ?? []), ...values.map(String)]));
    });
  return lists;
}

function deprecatedIn(document: ApiDocument): string[] {
  return callsOf(document).flatMap(({ name, operation }) => {
    const { parameters = [], requestBody } = operation;
    const found = parameters
      .map((each) => resolveRef(document, each))
      .filter(({ deprecated }) => deprecated)
      .map((each) => String(each.name));
    if (requestBody)
      for (const [field, part] of Object.entries(
        (resolveRef(document, schemaOf(resolveRef(document, requestBody))).properties ?? {}) as Record<
          string,
          Json
        >,
      ))
        if (part.deprecated) found.push(field);
    return found.map((field) => `- \`${field}\` of \`${name}\``);
  });
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
  const additions = (kind: string, old: Set<string>, names: Set<string>) =>
    outermost([...names].filter((name) => !old.has(name) && !isOnlyDescribed(name, old))).map(
      (name) => `${kind} \`${name}\``,
    );
  const statuses = ({ responses }: Operation) =>
    new Set(Object.keys(responses).filter((each) => each !== 'default'));
  return [
    ...additions('parameter', parametersOf(before, earlier), parametersOf(now, current)),
    ...additions('field of the request', bodyOf(before, earlier), bodyOf(now, current)),
    ...additions('field of the answer', answerOf(before, earlier), answerOf(now, current)),
    ...additions('status', statuses(earlier), statuses(current)),
  ];
}

/** Whether the parent existed before, and only its fields are newly described. */
function isOnlyDescribed(name: string, old: ReadonlySet<string>): boolean {
  const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  return old.has(parent) && ![...old].some((each) => each.startsWith(`${parent}.`));
}

/** Leaves out the fields of a field that is itself new. */
function outermost(names: readonly string[]): string[] {
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)));
}

function parametersOf(document: ApiDocument, { parameters = [] }: Operation): Set<string> {
  return new Set(parameters.map((each) => String(resolveRef(document, each).name)));
}

function bodyOf(document: ApiDocument, { requestBody }: Operation): Set<string> {
  return requestBody ? fieldsIn(document, schemaOf(resolveRef(document, requestBody))) : new Set();
}

function answerOf(document: ApiDocument, { responses }: Operation): Set<string> {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return success ? fieldsIn(document, schemaOf(resolveRef(document, success))) : new Set();
}

function schemaOf({ content = {} }: { content?: Record<string, { schema?: Json }> } & Json): Json {
  return content['application/json']?.schema ?? Object.values(content)[0]?.schema ?? {};
}

function resolveRef(document: ApiDocument, part: Json): Json {
  if (typeof part.$ref !== 'string') return part;
  const found = part.$ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json>((at, name) => at[name] as Json, document as unknown as Json);
  return resolveRef(document, found);
}

/** Every field of a schema by its path, such as `patient.address.lines`. */
function fieldsIn(document: ApiDocument, schema: Json): Set<string> {
  const found = new Set<string>();
  visitFields(document, schema, (path) => found.add(path));
  return found;
}

/** Calls `note` with each field of a schema, and with the alternatives and items of one as with itself. */
function visitFields(document: ApiDocument, schema: Json, note: (path: string, part: Json) => void): void {
  const visit = (part: Json, path: string, above: readonly Json[]) => {
    const whole = resolveRef(document, part);
    if (above.includes(whole)) return;
    if (path !== '') note(path, whole);
    const inside = [...above, whole];
    for (const [name, field] of Object.entries((whole.properties ?? {}) as Record<string, Json>))
      visit(field, path === '' ? name : `${path}.${name}`, inside);
    if (whole.items) visit(whole.items as Json, path, inside);
    for (const choice of ['anyOf', 'oneOf', 'allOf'])
      for (const each of (whole[choice] ?? []) as Json[]) visit(each, path, inside);
  };
  visit(schema, '', []);
}
