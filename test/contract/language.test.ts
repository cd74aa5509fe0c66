import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;
/** Files that are not checked, like built ones: this one, generated code, and a customer's sample text. */
const exceptions: readonly string[] = [
  "test/contract/language.test.ts",
  "client/openapi.ts",
  "infra/local/seed-agents.ts",
];
const files = globSync("{cli,client,console/src,functions,infra,lib,test}/**/*.{ts,tsx}", {
  cwd: root,
}).filter((file) => !exceptions.includes(file) && !file.includes("/dist/"));

/** Words of comments and titles of tests that have a plainer form. */
const discouraged: readonly (readonly [RegExp, string])[] = [
  [/\bwhose\b/i, 'a noun, "with" or a second sentence'],
  [/\bnobody\b|\banybody\b|\bsomebody\b/i, "the noun: user, caller, reader"],
  [/\banew\b/i, "again"],
  [/\bat once\b/i, "immediately or concurrently"],
  [/\bby itself\b/i, "separately or automatically"],
  [/\bbeside\b/i, "next to or in addition to"],
  [/\bso (?:long|much|many) after\b|^so (?:long|much|many)\b/i, "the quantity"],
  [/, each (?!other\b)|\beach once\b|\beach[.;,:)]|\beach$/i, "the noun, per, every or separate"],
  [
    /\beach (?:is|are|has|was|had|takes?|gets?|one|would|must|may|can)\b/i,
    "the noun, per or every",
  ],
  [/\bturned away\b|\bgets? to know\b|\bholds? up\b/i, "refuse, receive, delay"],
  [/\bdearest\b/i, "most expensive"],
  [/\b(?:goes|go|went) on\b|\bcomes? again\b/i, "continue, be delivered again"],
  [/\b(?:is|are) no (?:valid|JSON|error|object)\b/i, "is not valid, is not an error"],
  [/\btells?\b (?:of|about)|\btold\b|\bsaid\b/i, "publish, notify, pass"],
  [/^(?:what|who|which|how)\b/i, "a noun or a verb first"],
];

/** Words that messages for users do not have. */
const discouragedInMessages: readonly (readonly [RegExp, string])[] = [
  [/\bwhose\b/i, 'a noun, "with" or a second sentence'],
  [/\bnobody\b|\bsomebody\b/i, "the noun: user, caller"],
  [/\banew\b|\bat once\b|\bby itself\b/i, "again, immediately, concurrently, automatically"],
  [/\bdoes not fit\b|\bdo not fit\b/i, "does not match, is too large"],
  [/\bturned away\b|\bgets? to know\b|\bdearest\b/i, "refuse, receive, most expensive"],
  [/\bis no (?:valid|JSON|object|text|list|number|id)\b/, "is not valid, is not a …"],
];

/** Names of variables that have a plainer form. */
const discouragedNames: readonly (readonly [RegExp, string])[] = [
  [/[a-z]Of$/, "a verb or a noun"],
  [/^(?:tell|told|hear|heard)(?:[A-Z]|$)/, "notify, publish, report, receive"],
  [/^(?:letGo|giveUp|giveBack|breakOff|goOn)(?:[A-Z]|$)/, "release, abandon, abort, resume"],
];

/**
 * Words of comments that sentences of pages do not have either. A heading may start with "How", and a line with a part of
 * a sentence.
 */
const discouragedInPages = discouraged.filter(
  ([{ source }]) => !source.startsWith("^(?:what") && !source.includes("each"),
);

type Found = { line: number; text: string; advice: string };

const findIn = (text: string, patterns: typeof discouraged): string | undefined =>
  patterns.find(([pattern]) => pattern.test(text))?.[1];

/** Returns the text of a comment in one line. */
const readComment = (value: string): string => value.replace(/(?:^|\n)\s*\*+ ?|\s+/g, " ").trim();

const titleOfTest = new Set(["test", "it", "describe"]);

/** Lists comments, titles of tests, messages and names that have a plainer form. */
const findWords = (file: string, source: string): Found[] => {
  const { comments, program } = parseSync(file, source);
  const found: Found[] = [];
  const check = (start: number, text: string, patterns: typeof discouraged): void => {
    const advice = findIn(text, patterns);
    if (advice === undefined) return;
    found.push({ line: source.slice(0, start).split("\n").length, text, advice });
  };
  for (const { start, value } of comments) check(start, readComment(value), discouraged);
  const isTest = /^test\/|\.test\.tsx?$/.test(file);
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      let called = callee;
      while (called.type === "CallExpression" || called.type === "MemberExpression")
        called = called.type === "CallExpression" ? called.callee : called.object;
      if (called.type !== "Identifier" || !titleOfTest.has(called.name)) return;
      if (title?.type === "Literal" && typeof title.value === "string")
        check(title.start, title.value, discouraged);
    },
    Literal: ({ start, value }) => {
      if (!isTest && typeof value === "string") check(start, value, discouragedInMessages);
    },
    TemplateElement: ({ start, value }) => {
      if (!isTest) check(start, value.raw, discouragedInMessages);
    },
    JSXText: ({ start, value }) => check(start, value, discouragedInMessages),
    Identifier: ({ start, name }) => {
      if (name !== "each" || source[start - 1] === ".") return;
      const line = source.slice(0, start).split("\n").length;
      found.push({ line, text: name, advice: "the noun that it holds" });
    },
    VariableDeclarator: ({ id }) => {
      if (id.type !== "Identifier") return;
      const advice = discouragedNames.find(([pattern]) => pattern.test(id.name))?.[1];
      if (advice === undefined) return;
      const line = source.slice(0, id.start).split("\n").length;
      found.push({ line, text: id.name, advice });
    },
  }).visit(program);
  return found;
};

test("comments, titles of tests, messages and names use plain technical English", () => {
  const found = files.flatMap((file) =>
    findWords(file, readFileSync(root + file, "utf8")).map(
      ({ line, text, advice }) => `${file}:${line}: "${text}": write ${advice}`,
    ),
  );
  expect(found).toEqual([]);
});

/** Lists sentences of a Markdown page that have a plainer form; leaves out its code. */
const findInPage = (text: string): Found[] => {
  const isCode = (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith("```")).length % 2 === 1;
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (/^```|^ {4}/.test(line) || isCode(lines.slice(0, at))) return [];
    const prose = line.replaceAll(/`[^`]*`/g, "");
    const cells = /^\s*\|/.test(prose) ? prose.split("|").map((cell) => cell.trim()) : [prose];
    return cells.flatMap((cell) => {
      const advice = findIn(cell, discouragedInPages);
      return advice === undefined ? [] : [{ line: at + 1, text: cell, advice }];
    });
  });
};

test("pages use plain technical English", () => {
  const pages = ["README.md", ...globSync("{docs,client,cli,examples}/**/*.md", { cwd: root })];
  const found = pages
    .filter((page) => !page.includes("node_modules/"))
    .flatMap((page) =>
      findInPage(readFileSync(root + page, "utf8")).map(
        ({ line, text, advice }) => `${page}:${line}: "${text}": write ${advice}`,
      ),
    );
  expect(found).toEqual([]);
});

test("a phrase with a plainer form is found", () => {
  const source = `
    /** What a caller whose key expired gets. */
    const nameOf = () => "The request does not fit";
    const told = 1;
    // Starts the jobs, each once.
    test("all requests at once succeed", () => {});
    const ids = items.map((each) => each.id);
    test.each(ids)("%s is an id", () => {});
  `;
  const lines = findWords("file.ts", source).map(({ line }) => line);
  expect([...new Set(lines)].toSorted()).toEqual([2, 3, 4, 5, 6, 7]);
});
