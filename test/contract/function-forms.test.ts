import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
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
