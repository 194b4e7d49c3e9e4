import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/** What the client library needs of the OpenAPI document: its types for TypeScript, and where each operation is. */

type Operation = {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
};
type Parameter = { name: string } | { $ref: string };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, { name: string }> };
};

const header = '// Made from openapi.json by `npm run generate`. Do not change it by hand.\n\n';

/** Every schema and operation of the document, for TypeScript. */
export async function clientTypes(document: object): Promise<string> {
  const nodes = await openapiTypescript(structuredClone(document) as never, { defaultNonNullable: false });
  return header + openLists(astToString(nodes.map(allowUndefined)));
}

/** Under `exactOptionalPropertyTypes` a field that may be left out refuses `undefined` otherwise, and JSON leaves it out. */
function allowUndefined<Node extends ts.Node>(node: Node): Node {
  const undefinedType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  const visit = (each: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(each, visit, undefined);
    if (!ts.isPropertySignature(visited) || !visited.questionToken || !visited.type) return visited;
    if (visited.type.kind === ts.SyntaxKind.NeverKeyword) return visited;
    const type = ts.factory.createUnionTypeNode([visited.type, undefinedType]);
    const { modifiers, name, questionToken } = visited;
    return ts.factory.updatePropertySignature(visited, modifiers, name, questionToken, type);
  };
  return visit(node) as Node;
}

/** A list that will grow is any text. TypeScript would forget the known values beside `string`, and editors would not offer them. */
function openLists(types: string): string {
  return types.replaceAll('") | string;', '") | (string & {});');
}

/**
 * Where each operation is. `reads`: it changes nothing, so it may be repeated. `takesKey`: it may be repeated with the same
 * Idempotency-Key. `open`: it needs no access token.
 */
function clientRoutes(document: object) {
  const { paths, components } = document as Document;
  const nameOf = (parameter: Parameter) =>
    '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)!]!.name : parameter.name;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters = [] }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      // A search that may name a person is a POST. A refresh may be repeated, as the document says.
      reads: method === 'get' || /^search|^refreshToken$/.test(operationId),
      takesKey: parameters.some((each) => nameOf(each) === 'idempotency-key'),
      open: security?.length === 0,
    })),
  );
}

type ClientRoute = ReturnType<typeof clientRoutes>[number];

/** Such as `POST /api/referrals key`. */
function inWords({ method, path, reads, takesKey, open }: ClientRoute): string {
  return [`${method} ${path}`, reads && 'reads', takesKey && 'key', open && 'open'].filter(Boolean).join(' ');
}

export function routesForTypeScript(document: object): string {
  const lines = clientRoutes(document).map((route) => `  ${route.operationId}: '${inWords(route)}',`);
  return `${header}export const routes = {\n${lines.join('\n')}\n} as const;\n`;
}

const pythonHeading =
  '# --- Made from openapi.json by `npm run generate`. Do not change what follows by hand. ----------------------------------------\n';

/**
 * The Python client with its last part made again: where each operation is, and the codes of problems.
 */
export function pythonClient(source: string, document: object, problemCodes: readonly string[]): string {
  const [written, rest] = source.split(pythonHeading);
  if (rest === undefined) throw new Error('The Python client has lost the heading of its generated part.');
  const codes = problemCodes.map((code) => `    "${code}",`).join('\n');
  const routes = clientRoutes(document).map((route) => `    "${route.operationId}": "${inWords(route)}",`);
  return `${written}${pythonHeading}
ProblemCode = Literal[
${codes}
]

_ROUTES = {
${routes.join('\n')}
}
`;
}
