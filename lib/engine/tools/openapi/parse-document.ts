import { parseDocument as composeYaml, visit } from "yaml";
import { isJsonObject, type Json, type JsonObject } from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import { ToolError } from "../tool.ts";
import { checkVersion } from "./check-version.ts";
import { maxDocumentDepth } from "./limits.ts";

/** Parsing YAML takes about a hundred times as long as JSON. */
const maxYamlCharacters = 2 * 1024 * 1024;
/** Limits documents that a few anchors would expand. */
const maxAliases = 100;

/** Parses an OpenAPI 3.0 or 3.1 document in JSON or YAML. Throws a ToolError for an invalid one. */
export const parseDocument = (text: string): JsonObject => {
  const root = /^\s*\{/.test(text) ? readJson(text) : readYaml(text);
  if (root === undefined || !isJsonObject(root)) {
    throw new ToolError("The OpenAPI document must be an object.");
  }
  checkVersion(root);
  return root;
};

/** A flow mapping of YAML starts like JSON, too. */
const readJson = (text: string): Json => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : readYaml(text);
};

const readYaml = (text: string): Json => {
  if (text.length > maxYamlCharacters) {
    throw new ToolError(
      `The OpenAPI document is not JSON, and YAML may have at most ${maxYamlCharacters} characters: use its JSON form.`,
    );
  }
  const value = parseYaml(text);
  if (isTree(value)) return value;
  throw new ToolError(
    `The OpenAPI document is nested deeper than ${maxDocumentDepth} levels, or refers to itself by an alias.`,
  );
};

const parseYaml = (text: string): Json => {
  const document = composeYaml(text, {
    // Duplicate keys are harmless, and their check takes quadratic time.
    uniqueKeys: false,
    // Each pretty error scans the document's lines again.
    prettyErrors: false,
    logLevel: "error",
    schema: "core",
  });
  const [error] = document.errors;
  if (error) throw notYaml(text.slice(0, error.pos[0]).split("\n").length, error);
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases += 1;
      return aliases > maxAliases ? visit.BREAK : undefined;
    },
  });
  // Resolving aliases of aliases takes quadratic time: they are counted first.
  if (aliases > maxAliases) {
    throw new ToolError(`The OpenAPI document has more than ${maxAliases} YAML aliases.`);
  }
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch (cause) {
    throw notYaml(undefined, cause);
  }
};

/** Returns whether a value has no cycle, which YAML's aliases can create. */
const isTree = (value: Json): boolean => {
  const known = new Set<Json>();
  const visit = (item: Json, depth: number): boolean => {
    if (typeof item !== "object" || item === null || known.has(item)) return true;
    if (depth > maxDocumentDepth) return false;
    const isWhole = Object.values(item).every((member) => visit(member, depth + 1));
    known.add(item);
    return isWhole;
  };
  return visit(value, 0);
};

const notYaml = (line: number | undefined, cause: unknown): ToolError => {
  const place = line === undefined ? "" : ` (line ${line})`;
  return new ToolError(`The OpenAPI document is neither JSON nor YAML${place}.`, { cause });
};
