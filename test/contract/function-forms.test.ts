import { globSync, readFileSync } from "node:fs";
import { type ParamPattern, parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;
const files = globSync("{cli,client,console/src,functions,infra,lib,test}/**/*.{ts,tsx}", {
  cwd: root,
});

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
    return text.includes("function") ? listDeclared(file, text) : [];
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

/** Names of the exported functions that take their dependencies after another argument. */
const listMisplaced = (file: string, text: string): string[] => {
  const misplaced: string[] = [];
  new Visitor({
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type !== "VariableDeclaration") return;
      for (const { id, init } of declaration.declarations) {
        if (id.type !== "Identifier" || init?.type !== "ArrowFunctionExpression") continue;
        const [first = [], ...others] = init.params.map(listBound);
        const isWrapped =
          first.includes("deps") && (first.includes("input") || first.includes("ctx"));
        const isLater = others.flat().some((name) => name === "db" || name === "deps");
        if (isWrapped || isLater) misplaced.push(`${file}: ${id.name}`);
      }
    },
  }).visit(parseSync(file, text).program);
  return misplaced;
};

test("rules take their dependencies as the first argument", () => {
  const misplaced = files
    .filter((file) => /^lib\/(?!edge\/|platform\/)/.test(file) && !file.endsWith(".test.ts"))
    .flatMap((file) => listMisplaced(file, readFileSync(root + file, "utf8")));
  expect(misplaced).toEqual([]);
});

test("dependencies in another place are found", () => {
  const text = `
    export const create = async ({ ctx, input, deps }: All) => {};
    export const remove = (id: string, { db }: Deps) => db.delete(id);
    export const list = (deps: Deps, { ctx }: Input) => [];
    export const get = ({ db }: Deps, id: string) => db.get(id);
  `;
  expect(listMisplaced("file.ts", text)).toEqual(["file.ts: create", "file.ts: remove"]);
});
