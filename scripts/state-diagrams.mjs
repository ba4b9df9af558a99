// Draws the states of core's machines into docs/machines/, from the code: every state is made by a `becomeX` that takes the
// states which it may follow (ARCHITECTURE.md, "Inside core"), so the arrows are what the compiler says of those functions.
//
//   node scripts/state-diagrams.mjs          writes the diagrams
//   node scripts/state-diagrams.mjs --check  exits with 1 if a diagram is not what the code says, or a machine has no page
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const core = join(root, "packages/core/src");
const block = /(<!-- states[^>]*-->\n)[\s\S]*?(<!-- end of states -->)/;

/** Functions that give the state which they were given. */
const STAYING = new Set(["stay", "unchanged"]);

/**
 * A machine with states is a folder that has transitions; two smaller ones have their states in a file of their own and their
 * arrows in the cases of their step.
 */
const machines = [
  ...readdirSync(core)
    .filter((name) => existsSync(join(core, name, "transitions.ts")))
    .map((name) => ({ page: name, folder: name, states: "state.ts" })),
  { page: "join", folder: "join", states: "state.ts" },
  { page: "join-delivery", folder: "join-journal", states: "delivery.ts" },
];

function programOf(names) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const files = names.flatMap(({ folder }) => sourcesOf(folder));
  return ts.createProgram(files, { ...options, noEmit: true, types: [] });
}

function sourcesOf(name) {
  const folder = join(core, name);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));
}

/** The values that the member `type` of a state can have. */
function tagsOf(checker, type, node) {
  const parts = type.isUnion() ? type.types : [type];
  return parts.flatMap((part) => {
    const member = part.getProperty("type");
    if (member === undefined) return [];
    const tag = checker.getTypeOfSymbolAtLocation(member, node);
    return (tag.isUnion() ? tag.types : [tag]).filter((each) => each.isStringLiteral()).map((each) => each.value);
  });
}

/** Every expression that a function returns, those of both branches of a condition apart. */
function returnsOf(body) {
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression);
    else ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found.flatMap(branchesOf);
}

function branchesOf(expression) {
  if (ts.isParenthesizedExpression(expression)) return branchesOf(expression.expression);
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
    return [...branchesOf(expression.left), ...branchesOf(expression.right)];
  }
  if (!ts.isConditionalExpression(expression)) return [expression];
  return [...branchesOf(expression.whenTrue), ...branchesOf(expression.whenFalse)];
}

/** Finds which states a function gives: from its literals, or from the functions that it hands on to. */
class Maker {
  #checker;
  #made = new Map();
  /** The functions that are being looked at. */
  #asked = new Set();

  constructor(checker) {
    this.#checker = checker;
  }

  /**
   * The tags of the states that a function returns, alone or in a step. A function that only stays makes none. Of functions
   * that hand on to each other in a circle, an answer is whole once asking again adds nothing.
   */
  ofFunction(declaration) {
    const made = this.#made.get(declaration) ?? new Set();
    this.#made.set(declaration, made);
    if (STAYING.has(declaration.name.text) || this.#asked.has(declaration)) return made;
    this.#asked.add(declaration);
    for (const tag of this.ofReturns(declaration.body)) made.add(tag);
    this.#asked.delete(declaration);
    return made;
  }

  ofReturns(node) {
    return new Set(returnsOf(node).flatMap((returned) => this.#ofStep(returned)));
  }

  #ofStep(expression) {
    if (ts.isObjectLiteralExpression(expression)) {
      const state = expression.properties.find((property) => property.name?.getText() === "state");
      if (state !== undefined) {
        return branchesOf(ts.isPropertyAssignment(state) ? state.initializer : state.name).flatMap((value) =>
          this.#ofState(value),
        );
      }
    }
    return this.#ofState(expression);
  }

  #ofState(expression) {
    if (ts.isCallExpression(expression)) {
      const called = this.#functionOf(expression.expression);
      if (called !== undefined) return [...this.ofFunction(called)];
    }
    if (ts.isPropertyAccessExpression(expression) && expression.name.text === "state") {
      const step = this.#valueOf(expression.expression);
      if (step !== undefined) return branchesOf(step).flatMap((value) => this.#ofStep(value));
    }
    if (ts.isIdentifier(expression)) {
      const value = this.#valueOf(expression);
      if (value !== undefined) return branchesOf(value).flatMap((each) => this.#ofStep(each));
    }
    const type = this.#checker.getTypeAtLocation(expression);
    const inside = type.getProperty("state");
    return tagsOf(
      this.#checker,
      inside === undefined ? type : this.#checker.getTypeOfSymbolAtLocation(inside, expression),
      expression,
    );
  }

  #functionOf(callee) {
    const declaration = this.#declarationOf(callee);
    return declaration !== undefined && ts.isFunctionDeclaration(declaration) && declaration.body
      ? declaration
      : undefined;
  }

  /** What a `const` was given. */
  #valueOf(name) {
    if (!ts.isIdentifier(name)) return undefined;
    const declaration = this.#declarationOf(name);
    return declaration !== undefined && ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name)
      ? declaration.initializer
      : undefined;
  }

  #declarationOf(name) {
    let symbol = this.#checker.getSymbolAtLocation(name);
    if (ts.isShorthandPropertyAssignment(name.parent))
      symbol = this.#checker.getShorthandAssignmentValueSymbol(name.parent);
    if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) symbol = this.#checker.getAliasedSymbol(symbol);
    return symbol?.valueDeclaration;
  }
}

/** The machine's states that can be given where this type is asked for, which may be what several of them have in common. */
function takenBy(checker, type, node, states) {
  const tags = tagsOf(checker, type, node);
  if (tags.length > 0) return tags;
  return states
    .filter((state) => checker.isTypeAssignableTo(state, type))
    .flatMap((state) => tagsOf(checker, state, node));
}

/** The members of the machine's union of states, `…State`. */
function statesOf(program, checker, { folder, states }) {
  const file = program.getSourceFile(join(core, folder, states));
  const alias = file.statements.find(
    (node) =>
      ts.isTypeAliasDeclaration(node) && node.name.text.endsWith("State") && checker.getTypeAtLocation(node).isUnion(),
  );
  if (alias === undefined) throw new Error(`${folder}/${states}: there is no union of states`);
  return checker.getTypeAtLocation(alias).types;
}

function transitionsOf(program, machine) {
  let before = "";
  const maker = new Maker(program.getTypeChecker());
  for (;;) {
    const edges = edgesBy(maker, program, machine);
    const now = JSON.stringify(edges);
    if (now === before) {
      const blind = edges.find(({ later }) => later === undefined);
      if (blind !== undefined) throw new Error(`${machine.page}: become${blind.label} makes no state that can be seen`);
      return edges;
    }
    before = now;
  }
}

function edgesBy(maker, program, machine) {
  const checker = program.getTypeChecker();
  const states = statesOf(program, checker, machine);
  const edges = [];
  for (const path of sourcesOf(machine.folder)) {
    for (const node of program.getSourceFile(path).statements) {
      if (!ts.isFunctionDeclaration(node)) continue;
      const edgesOf = existsSync(join(core, machine.folder, "transitions.ts")) ? becomeEdges : stepEdges;
      edges.push(...edgesOf(node, { checker, maker, states, path }));
    }
  }
  return edges;
}

/** From the states that a `becomeX` takes to the ones that it makes. */
function becomeEdges(node, { checker, maker, states }) {
  const name = node.name.text;
  if (!/^become[A-Z]/.test(name)) return [];
  const [first] = node.parameters;
  const taken = first === undefined ? [] : takenBy(checker, checker.getTypeAtLocation(first), first, states);
  const tos = [...maker.ofFunction(node)].sort();
  const label = name.slice("become".length);
  const made = tos.length > 0 ? tos : [undefined];
  return (taken.length > 0 ? taken : ["[*]"]).flatMap((earlier) => made.map((later) => ({ earlier, later, label })));
}

/** From the case of a state in `stepX` to the states that it returns; and what `startX` begins with. */
function stepEdges(node, { checker, maker, states }) {
  const name = node.name.text;
  const tags = new Set(states.flatMap((state) => tagsOf(checker, state, node)));
  if (/^start[A-Z]/.test(name)) {
    return [...maker.ofFunction(node)]
      .filter((later) => tags.has(later))
      .map((later) => ({ earlier: "[*]", later, label: "" }));
  }
  if (!/^step[A-Z]/.test(name)) return [];
  const edges = [];
  const visit = (inner) => {
    if (ts.isCaseClause(inner) && ts.isStringLiteral(inner.expression) && tags.has(inner.expression.text)) {
      for (const later of maker.ofReturns(inner)) edges.push({ earlier: inner.expression.text, later, label: "" });
      return;
    }
    ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node.body, visit);
  return edges;
}

function diagramOf(edges) {
  const lines = new Map();
  for (const { earlier, later, label } of edges) {
    const arrow = `${earlier} --> ${later}`;
    lines.set(arrow, [...(lines.get(arrow) ?? []), label]);
  }
  const last = new Set(edges.map(({ later }) => later));
  for (const { earlier } of edges) last.delete(earlier);
  return [
    "```mermaid",
    "stateDiagram-v2",
    ...[...lines].map(
      ([arrow, labels]) => `  ${arrow}${labels[0] === "" ? "" : ` : ${[...new Set(labels)].join(", ")}`}`,
    ),
    ...[...last].map((state) => `  ${state} --> [*]`),
    "```",
    "",
  ].join("\n");
}

const check = process.argv.includes("--check");
const faults = [];
const program = programOf(machines);
for (const machine of machines) {
  const name = `docs/machines/${machine.page}.md`;
  const page = join(root, name);
  const text = existsSync(page) ? readFileSync(page, "utf8") : "";
  if (!block.test(text)) {
    faults.push(`${name}: there is no place for the machine's states (<!-- states --> … <!-- end of states -->)`);
    continue;
  }
  const diagram = diagramOf(transitionsOf(program, machine));
  const drawn = text.replace(block, (_all, before, after) => `${before}\n${diagram}\n${after}`);
  if (drawn === text) continue;
  if (check) faults.push(`${name}: the diagram is not what the code says; run: npm run diagrams`);
  else writeFileSync(page, drawn);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
