type Parameter = { description?: string; examples?: unknown[] };
type Query = { properties?: Record<string, Parameter>; required?: readonly string[] };

/** Those that make sense together with nothing else. */
const filledIn = ['search'];

/**
 * Swagger UI fills in every example that a parameter has, and a call with all of them asks for what nobody wants: a
 * postcode beside a point is refused. So examples of optional parameters are told in words.
 */
export function withOptionalExamplesInWords<Schema extends { querystring?: unknown }>(
  schema: Schema,
): Schema {
  const query = schema.querystring as Query | undefined;
  if (!query?.properties) return schema;
  const { required = [] } = query;
  const parameters = Object.entries(query.properties).map(([name, parameter]) => [
    name,
    required.includes(name) || filledIn.includes(name) ? parameter : inWords(parameter),
  ]);
  return { ...schema, querystring: { ...query, properties: Object.fromEntries(parameters) } };
}

function inWords({ examples, ...parameter }: Parameter): Parameter {
  const [example] = examples ?? [];
  if (example === undefined) return parameter;
  const words = [example].flat().map((each) => `\`${each}\``);
  return {
    ...parameter,
    description: `${parameter.description ?? ''} For example ${words.join(', ')}.`.trim(),
  };
}
