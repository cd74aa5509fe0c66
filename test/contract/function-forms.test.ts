import { globSync, readFileSync } from "node:fs";
import { type ParamPattern, parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { vendors } from "../../lib/vendors/vendors.ts";

const root = new URL("../../", import.meta.url).pathname;
const files = globSync("{cli,client,console/src,functions,infra,lib,test}/**/*.{ts,tsx}", {
  cwd: root,
});

/** A file without it is not parsed. */
const declaration = /\bfunction\b\s*\*?\s*[\w$]+\s*[(<]/;

/** Names of the functions that could be arrow functions: no generator, overload, assertion or one that never returns. */
const listDeclared = (file: string, text: string): string[] => {
  const declared: string[] = [];
  const overloaded = new Set<string>();
  new Visitor({
    TSDeclareFunction: ({ id }) => void overloaded.add(id?.name ?? ""),
    FunctionDeclaration: ({ id, generator, returnType }) => {
      const type = returnType?.typeAnnotation;
      const isAssertion = type?.type === "TSTypePredicate" && type.asserts;
      if (generator || isAssertion || type?.type === "TSNeverKeyword") return;
      declared.push(id?.name ?? "");
    },
  }).visit(parseSync(file, text).program);
  return declared.filter((name) => !overloaded.has(name)).map((name) => `${file}: ${name}`);
};

test("functions are arrow functions, unless only a declaration can express them", () => {
  const declared = files.flatMap((file) => {
    const text = readFileSync(root + file, "utf8");
    return declaration.test(text) ? listDeclared(file, text) : [];
  });
  expect(declared).toEqual([]);
});

test("a declaration that could be an arrow function is found", () => {
  const text = `
    export async function load() {}
    function* count() { yield 1; }
    function isText(value: unknown): value is string { return true; }
    function assertText(value: unknown): asserts value is string {}
    function fail(): never { throw new Error(); }
    function read(value: string): string;
    function read(value: unknown) { return value; }
  `;
  expect(text.match(new RegExp(declaration, "g"))).toHaveLength(7);
  expect(listDeclared("file.ts", text)).toEqual(["file.ts: load", "file.ts: isText"]);
});

/** Names that a parameter binds: its own, or those of the members that it takes apart. */
const listBound = (parameter: ParamPattern): string[] => {
  if (parameter.type === "Identifier") return [parameter.name];
  if (parameter.type !== "ObjectPattern") return [];
  return parameter.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Identifier" ? [property.key.name] : [],
  );
};

const connections: ReadonlySet<string> = new Set(["db", "sealer", "send"]);

/** Names by which a first parameter is taken to be dependencies, or its members are. */
const dependencies: ReadonlySet<string> = new Set(["deps", "storage", ...connections]);

type Parameters = readonly ParamPattern[];

type Exported = { name: string; parameters: Parameters };

/** Lists the exported functions of a text. */
const listFunctions = (file: string, text: string): Exported[] => {
  const found: Exported[] = [];
  new Visitor({
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type !== "VariableDeclaration") return;
      for (const { id, init } of declaration.declarations) {
        if (id.type !== "Identifier" || init?.type !== "ArrowFunctionExpression") continue;
        found.push({ name: `${file}: ${id.name}`, parameters: init.params });
      }
    },
  }).visit(parseSync(file, text).program);
  return found;
};

/** The exported functions by file of lib: each file is parsed once for all rules. */
const functionsOfLib = new Map(
  files
    .filter((file) => file.startsWith("lib/") && !file.endsWith(".test.ts"))
    .map((file) => [file, listFunctions(file, readFileSync(root + file, "utf8"))]),
);

type Rule = (parameters: Parameters) => boolean;

/** Names of the functions with parameters that a rule finds. */
const namesWith = (functions: readonly Exported[], isFound: Rule): string[] =>
  functions.filter(({ parameters }) => isFound(parameters)).map(({ name }) => name);

const namesInLib = (isFound: Rule, isIncluded = (_: string) => true): string[] =>
  [...functionsOfLib].flatMap(([file, functions]) =>
    isIncluded(file) ? namesWith(functions, isFound) : [],
  );

const namesIn = (text: string, isFound: Rule): string[] =>
  namesWith(listFunctions("file.ts", text), isFound);

const takesDependencies = ([first]: Parameters): boolean =>
  first !== undefined && listBound(first).some((name) => dependencies.has(name));

/** A connection alone is the first parameter of a function that is one call of it. */
const isAccess = ([first]: Parameters): boolean =>
  first?.type === "Identifier" && connections.has(first.name);

/** Returns whether a function takes dependencies, and more than one input after them. */
const isPositional = (all: Parameters): boolean =>
  all.length > 2 && takesDependencies(all) && !isAccess(all);

/** Returns whether a function takes a connection, and more than three arguments after it. */
const isLong = (all: Parameters): boolean => all.length > 4 && takesDependencies(all);

test("rules take their dependencies and one input", () => {
  const isRule = (file: string) => !/store\.ts$|\/values\.ts$/.test(file);
  expect(namesInLib(isPositional, isRule)).toEqual([]);
});

test("access patterns take their connection and at most three arguments", () => {
  expect(namesInLib(isLong)).toEqual([]);
  const text = `
    export const list = (db: Database, tenantId: string, page: Page, filter: Filter, now: number) => [];
    export const get = (db: Database, tenantId: string, agentId: string, id: string) => {};
  `;
  expect(namesIn(text, isLong)).toEqual(["file.ts: list"]);
});

test("further inputs are found", () => {
  const text = `
    export const run = async (deps: Deps, job: Job, options: Options) => {};
    export const end = async ({ db }: Deps, id: string, from: string) => {};
    export const start = async (deps: Deps, input: Input) => {};
    export const list = (db: Database, tenantId: string, page: Page) => [];
  `;
  expect(namesIn(text, isPositional)).toEqual(["file.ts: run", "file.ts: end"]);
});

/** Returns whether a function takes its dependencies after another argument, or with its input. */
const isMisplaced = (all: Parameters): boolean => {
  const [first = [], ...others] = all.map(listBound);
  const isWrapped = first.includes("deps") && (first.includes("input") || first.includes("ctx"));
  return isWrapped || others.flat().some((name) => name === "db" || name === "deps");
};

test("rules take their dependencies as the first argument", () => {
  expect(namesInLib(isMisplaced)).toEqual([]);
});

test("dependencies in another place are found", () => {
  const text = `
    export const create = async ({ ctx, input, deps }: All) => {};
    export const remove = (id: string, { db }: Deps) => db.delete(id);
    export const list = (deps: Deps, { ctx }: Input) => [];
    export const get = ({ db }: Deps, id: string) => db.get(id);
  `;
  expect(namesIn(text, isMisplaced)).toEqual(["file.ts: create", "file.ts: remove"]);
});

/** Files that implement an interface under its one name: parts of vendors, and tasks of the sandbox. */
const implementsInterface = (file: string): boolean =>
  vendors.some((id) => file.startsWith(`lib/vendors/${id}/`)) || file.endsWith("-task.ts");

test("a name that lib exports is declared by one file, except for implementations of an interface", () => {
  const declared = new Map<string, string[]>();
  for (const file of files) {
    if (!file.startsWith("lib/") || file.endsWith(".test.ts") || implementsInterface(file))
      continue;
    const { module } = parseSync(file, readFileSync(root + file, "utf8"));
    const names = module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ exportName, moduleRequest }) =>
        moduleRequest === null && exportName.name !== null ? [exportName.name] : [],
      ),
    );
    for (const name of new Set(names)) declared.set(name, [...(declared.get(name) ?? []), file]);
  }
  expect([...declared].filter(([, places]) => places.length > 1)).toEqual([]);
});
