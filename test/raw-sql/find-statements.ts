import { join, relative } from 'node:path';
import ts from 'typescript';

/** A statement as the code composes it, once for each combination of its conditions. */
export type RawStatement = {
  /** Such as `src/tokens/refresh-tokens/refresh-tokens-store.ts:79`. */
  where: string;
  text: string;
  /** What the code hands in for `$1`, `$2` …. */
  parameters: readonly ValueTypes[];
  /** The row type that the code asserts, if it asserts one: what it takes each column to be. */
  row: ReadonlyMap<string, ValueTypes> | undefined;
};

/** A statement whose text depends on values that only a running site has. `name` is its file and function. */
export type RunTimeStatement = { name: string; because: string };

/** What values a TypeScript type allows, apart from null: `string`, `number`, `boolean`, `Date`, `Buffer`, `array`, `object` or `unknown`. */
export type ValueTypes = readonly string[];

/** A piece of SQL: text, and between its texts the types of the values handed in. */
type SqlParts = readonly (string | { value: ValueTypes })[];
/** What the names of a function's parameters mean in one call: SQL, or one of these words. */
type Scope = ReadonlyMap<ts.Symbol, { sql: SqlParts[] } | { words: readonly string[] }>;

/** A statement with several conditions has many variants. All are checked, so one with more than these must be made simpler. */
const maxVariants = 256;

class Unreadable extends Error {}

/** Every `sql` statement of the site's code that is executed, put together from the source without running it. */
export function findStatements(root: string): {
  statements: RawStatement[];
  builtAtRunTime: RunTimeStatement[];
} {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram({ rootNames: fileNames, options });
  const reader = new SqlReader(program);
  const statements: RawStatement[] = [];
  const builtAtRunTime: RunTimeStatement[] = [];
  for (const file of program.getSourceFiles()) {
    const path = relative(root, file.fileName);
    if (!path.startsWith('src/') || path.endsWith('.test.ts')) continue;
    visit(file, (node) => {
      if (!isExecuted(node)) return;
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const where = `${path}:${line + 1}`;
      try {
        const row = reader.rowOf(node);
        for (const piece of reader.read(node, new Map())) statements.push({ where, row, ...numbered(piece) });
      } catch (error) {
        if (!(error instanceof Unreadable)) throw new Error(`${where}: ${error}`);
        builtAtRunTime.push({ name: `${path} ${functionAround(node)}`, because: error.message });
      }
    });
  }
  return { statements, builtAtRunTime };
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** The name of the exported or private function that a statement is in. */
function functionAround(node: ts.Node): string {
  for (let at = node; at; at = at.parent) {
    if ((ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) && at.name) return at.name.getText();
    if (ts.isVariableDeclaration(at) && at.initializer && ts.isArrowFunction(at.initializer))
      return at.name.getText();
  }
  return 'outside functions';
}

/** Whether this is the template in ``sql`…`.execute(db)``. */
function isExecuted(node: ts.Node): node is ts.TaggedTemplateExpression {
  return (
    isSqlTemplate(node) &&
    ts.isPropertyAccessExpression(node.parent) &&
    node.parent.name.text === 'execute' &&
    ts.isCallExpression(node.parent.parent)
  );
}

function isSqlTemplate(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql';
}

function numbered(piece: SqlParts): { text: string; parameters: ValueTypes[] } {
  const parameters: ValueTypes[] = [];
  const text = piece.map((part) => (typeof part === 'string' ? part : `$${parameters.push(part.value)}`));
  return { text: text.join(''), parameters };
}

/** Reads expressions as SQL. Every method returns all texts that the expression can have. */
class SqlReader {
  readonly #checker: ts.TypeChecker;

  /** Every call in the site's code, by the name that is called. */
  readonly #calls: ReadonlyMap<string, readonly ts.CallExpression[]>;

  constructor(program: ts.Program) {
    this.#checker = program.getTypeChecker();
    const calls = program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.includes('/src/') && !fileName.includes('/node_modules/'))
      .flatMap((file) => {
        const found: ts.CallExpression[] = [];
        visit(file, (node) => void (ts.isCallExpression(node) && found.push(node)));
        return found;
      });
    this.#calls = Map.groupBy(calls, ({ expression }) => expression.getText());
  }

  rowOf(template: ts.TaggedTemplateExpression): ReadonlyMap<string, ValueTypes> | undefined {
    const [asserted] = template.typeArguments ?? [];
    if (!asserted) return undefined;
    const type = this.#checker.getTypeFromTypeNode(asserted);
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return undefined;
    const properties = this.#checker.getPropertiesOfType(type);
    const required = properties.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional));
    return new Map(
      required.map((each) => [each.name, this.#valueTypesOf(this.#checker.getTypeOfSymbol(each))]),
    );
  }

  read(node: ts.Expression, scope: Scope): SqlParts[] {
    const inner = unwrap(node);
    if (isSqlTemplate(inner)) return this.#template(inner, scope);
    if (ts.isConditionalExpression(inner)) {
      return [...this.read(inner.whenTrue, scope), ...this.read(inner.whenFalse, scope)];
    }
    if (ts.isBinaryExpression(inner) && this.#isSql(inner)) {
      const sides = [inner.left, inner.right].filter((side) => this.#isSql(side));
      return sides.flatMap((side) => this.read(side, scope));
    }
    if (ts.isCallExpression(inner)) return this.#call(inner, scope);
    if (ts.isIdentifier(inner)) return this.#identifier(inner, scope);
    if (this.#isSql(inner)) throw new Unreadable(inner.getText());
    return this.#value(inner);
  }

  #template(node: ts.TaggedTemplateExpression, scope: Scope): SqlParts[] {
    if (ts.isNoSubstitutionTemplateLiteral(node.template)) return [[node.template.text]];
    let pieces: SqlParts[] = [[node.template.head.text]];
    for (const { expression, literal } of node.template.templateSpans) {
      pieces = combine(pieces, this.read(expression, scope), [[literal.text]]);
    }
    return pieces;
  }

  #identifier(node: ts.Identifier, scope: Scope): SqlParts[] {
    const symbol = this.#symbolOf(node);
    const known = symbol && scope.get(symbol);
    if (known && 'sql' in known) return known.sql;
    if (!this.#isSql(node)) return this.#value(node);
    const declaration = symbol?.valueDeclaration;
    if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer) {
      return this.read(declaration.initializer, scope);
    }
    if (declaration && ts.isParameter(declaration)) return this.#callersArguments(declaration);
    throw new Unreadable(node.getText());
  }

  /** SQL that a function is handed: what each of its callers hands it. */
  #callersArguments(parameter: ts.ParameterDeclaration): SqlParts[] {
    const { parent } = parameter;
    const name =
      ts.isArrowFunction(parent) && ts.isVariableDeclaration(parent.parent)
        ? parent.parent.name
        : parent.name;
    const symbol = name && this.#symbolOf(name);
    const index = parent.parameters.indexOf(parameter);
    const calls = (this.#calls.get(name?.getText() ?? '') ?? []).filter(
      ({ expression }) => this.#symbolOf(expression) === symbol,
    );
    const given = calls.map((call) => call.arguments[index] ?? parameter.initializer);
    if (given.length === 0) throw new Unreadable(parameter.getText());
    return given.flatMap((each) => (each ? this.read(each, new Map()) : []));
  }

  #call(node: ts.CallExpression, scope: Scope): SqlParts[] {
    if (ts.isPropertyAccessExpression(node.expression) && node.expression.expression.getText() === 'sql') {
      return this.#builder(node.expression.name.text, node, scope);
    }
    if (!this.#isSql(node)) return this.#value(node);
    const called = this.#functionOf(node.expression);
    if (!called?.body) throw new Unreadable(node.getText());
    const bound = new Map(scope);
    called.parameters.forEach((parameter, index) => {
      const given = node.arguments[index] ?? parameter.initializer;
      const symbol = ts.isIdentifier(parameter.name) && this.#symbolOf(parameter.name);
      const words = given && this.#words(given, scope);
      if (given && symbol && this.#isSql(given)) bound.set(symbol, { sql: this.read(given, scope) });
      else if (symbol && words) bound.set(symbol, { words });
    });
    return returnsOf(called.body).flatMap((each) => this.read(each, bound));
  }

  /** `sql.table(…)`, `sql.join(…)` and the like. */
  #builder(name: string, { arguments: given, ...node }: ts.CallExpression, scope: Scope): SqlParts[] {
    const [first, second] = given;
    if (!first) throw new Unreadable(`sql.${name}()`);
    if (name === 'join') return this.#join(first, second, scope);
    if (name === 'val') return this.#value(first);
    const words = this.#words(first, scope);
    if (!words) throw new Unreadable(`sql.${name}(${first.getText()})`);
    if (name === 'raw') return words.map((word) => [word]);
    if (name === 'lit') return words.map((word) => [`'${word}'`]);
    if (['table', 'ref', 'id'].includes(name)) {
      return words.map((word) => [
        name === 'id'
          ? `"${word}"`
          : word
              .split('.')
              .map((part) => `"${part}"`)
              .join('.'),
      ]);
    }
    throw new Unreadable(`sql.${name} at ${node.pos}`);
  }

  #join(list: ts.Expression, separator: ts.Expression | undefined, scope: Scope): SqlParts[] {
    const between = separator ? this.read(separator, scope) : [[', ']];
    const items = this.#items(list, scope);
    return items.reduce((joined, item) => combine(joined, between, item));
  }

  /** The items of a list, each with its ways; of a list of unknown length, one item. */
  #items(list: ts.Expression, scope: Scope): SqlParts[][] {
    const inner = unwrap(list);
    if (ts.isArrayLiteralExpression(inner)) {
      return inner.elements.flatMap((each) =>
        ts.isSpreadElement(each) ? this.#items(each.expression, scope) : [this.read(each, scope)],
      );
    }
    // Of two lists, the longer one has what there is to check.
    if (ts.isConditionalExpression(inner)) {
      const lists = [this.#items(inner.whenTrue, scope), this.#items(inner.whenFalse, scope)];
      return lists.toSorted((one, other) => other.length - one.length)[0]!;
    }
    if (ts.isCallExpression(inner) && ts.isPropertyAccessExpression(inner.expression)) {
      const [made] = inner.arguments;
      if (inner.expression.name.text === 'filter') return this.#items(inner.expression.expression, scope);
      if (inner.expression.name.text === 'map' && made && ts.isArrowFunction(made)) {
        return [returnsOf(made.body).flatMap((each) => this.read(each, scope))];
      }
    }
    if (ts.isIdentifier(inner)) {
      const declaration = this.#symbolOf(inner)?.valueDeclaration;
      if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer) {
        if (this.#isListOfSql(inner)) return this.#items(declaration.initializer, scope);
      }
    }
    if (this.#isListOfSql(inner)) throw new Unreadable(inner.getText());
    return [[[{ value: ['unknown'] }]]];
  }

  #value(node: ts.Expression): SqlParts[] {
    return [[{ value: this.#valueTypesOf(this.#checker.getTypeAtLocation(node)) }]];
  }

  /** The strings that an expression can be, where its type lists them. */
  #words(node: ts.Expression, scope: Scope): readonly string[] | undefined {
    const symbol = ts.isIdentifier(node) ? this.#symbolOf(node) : undefined;
    const known = symbol && scope.get(symbol);
    if (known && 'words' in known) return known.words;
    const type = this.#checker.getTypeAtLocation(node);
    const types = type.isUnion() ? type.types : [type];
    const words = types.map((each) => (each.isStringLiteral() ? each.value : undefined));
    return words.every((word) => word !== undefined) ? words : undefined;
  }

  #functionOf(node: ts.Expression): ts.FunctionDeclaration | ts.ArrowFunction | undefined {
    const declaration = this.#symbolOf(node)?.valueDeclaration;
    if (!declaration) return undefined;
    if (ts.isFunctionDeclaration(declaration)) return declaration;
    if (!ts.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
    const made = unwrap(declaration.initializer);
    return ts.isArrowFunction(made) ? made : undefined;
  }

  #symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node);
    if (!symbol) return undefined;
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #isSql(node: ts.Node): boolean {
    return this.#isSqlType(this.#checker.getTypeAtLocation(node));
  }

  #isSqlType(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some((each) => this.#isSqlType(each));
    return type.getProperty('isRawBuilder') !== undefined;
  }

  #isListOfSql(node: ts.Node): boolean {
    const item = this.#checker.getIndexTypeOfType(this.#checker.getTypeAtLocation(node), ts.IndexKind.Number);
    return item !== undefined && this.#isSqlType(item);
  }

  #valueTypesOf(type: ts.Type): ValueTypes {
    if (type.isUnion()) return [...new Set(type.types.flatMap((each) => this.#valueTypesOf(each)))];
    const { flags } = type;
    if (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return [];
    if (flags & ts.TypeFlags.StringLike) return ['string'];
    if (flags & ts.TypeFlags.NumberLike) return ['number'];
    if (flags & ts.TypeFlags.BooleanLike) return ['boolean'];
    if (this.#checker.isArrayLikeType(type)) return ['array'];
    const name = type.symbol?.name;
    if (name === 'Date') return ['Date'];
    if (name === 'Buffer' || name === 'Uint8Array') return ['Buffer'];
    return flags & ts.TypeFlags.Object ? ['object'] : ['unknown'];
  }
}

/** The expression without brackets, `as`, `satisfies` or `!` around it. */
function unwrap(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isWrapped ? unwrap(node.expression) : node;
}

function returnsOf(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return [body];
  const found: ts.Expression[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, look);
  };
  look(body);
  return found;
}

function combine(...parts: SqlParts[][]): SqlParts[] {
  return parts.reduce((before, after) => {
    if (before.length * after.length > maxVariants) throw new Error(`more than ${maxVariants} variants`);
    return before.flatMap((one) => after.map((other) => [...one, ...other]));
  });
}
