import { type Schema, Validator } from "@cfworker/json-schema";
import applicator2019 from "./2019-09/applicator.json" with { type: "json" };
import content2019 from "./2019-09/content.json" with { type: "json" };
import core2019 from "./2019-09/core.json" with { type: "json" };
import format2019 from "./2019-09/format.json" with { type: "json" };
import metaData2019 from "./2019-09/meta-data.json" with { type: "json" };
import schema2019 from "./2019-09/schema.json" with { type: "json" };
import validation2019 from "./2019-09/validation.json" with { type: "json" };
import applicator2020 from "./2020-12/applicator.json" with { type: "json" };
import content2020 from "./2020-12/content.json" with { type: "json" };
import core2020 from "./2020-12/core.json" with { type: "json" };
import format2020 from "./2020-12/format-annotation.json" with { type: "json" };
import metaData2020 from "./2020-12/meta-data.json" with { type: "json" };
import schema2020 from "./2020-12/schema.json" with { type: "json" };
import unevaluated2020 from "./2020-12/unevaluated.json" with { type: "json" };
import validation2020 from "./2020-12/validation.json" with { type: "json" };

/*
 * The JSON files are the official meta-schemas of https://json-schema.org, unchanged but for white space. 2019-09
 * also describes the keywords of drafts 06 and 07, such as an array of `items`.
 */

const parts2019 = [core2019, applicator2019, validation2019, metaData2019, format2019, content2019];
const parts2020 = [
  core2020,
  applicator2020,
  unevaluated2020,
  validation2020,
  metaData2020,
  format2020,
  content2020,
];

/** The validator does not resolve `$dynamicRef`, which always leads to the dialect's root here. */
const withPlainReferences = (part: object, root: string): Schema =>
  JSON.parse(JSON.stringify(part), (_key, value: unknown) => {
    const isReference =
      typeof value === "object" &&
      value !== null &&
      (Reflect.get(value, "$dynamicRef") === "#meta" ||
        Reflect.get(value, "$recursiveRef") === "#");
    return isReference ? { $ref: root } : value;
  });

const createValidator = (root: { $id: string }, parts: readonly object[]): Validator => {
  const validator = new Validator(withPlainReferences(root, root.$id), "2020-12", false);
  for (const part of parts) validator.addSchema(withPlainReferences(part, root.$id));
  return validator;
};

const validators = new Map<string, Validator>();

/** Returns the validator of schemas in the dialect that `$schema` names; 2020-12 by default. */
export const selectMetaValidator = (dialect: unknown): Validator => {
  const isOlder = typeof dialect === "string" && /2019-09|draft-0[67]/.test(dialect);
  const [root, parts] = isOlder ? [schema2019, parts2019] : [schema2020, parts2020];
  const validator = validators.get(root.$id) ?? createValidator(root, parts);
  validators.set(root.$id, validator);
  return validator;
};
