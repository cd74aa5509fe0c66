import { isDeeperThan, type Json, maxJsonDepth } from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import { type Tool, ToolError } from "../tool.ts";
import { evaluateWith } from "./evaluate-with.ts";
import { textParameter } from "./text-parameter.ts";

const readDocument = (text: string): Json => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new ToolError('"json" is not valid JSON.');
  if (!isDeeperThan(parsed.value, maxJsonDepth)) return parsed.value;
  throw new ToolError(`"json" must not be nested deeper than ${maxJsonDepth} levels.`);
};

/** Tool `json_query`: returns the result of a JSONata query over a JSON text; null without one. */
export const jsonQuery: Tool = {
  descriptor: {
    id: "json_query",
    displayName: "Query JSON",
    description: "Runs a JSONata query on a JSON text.",
    actionType: "ReadOnly",
    resultType: "Json",
    parametersMetadata: [
      textParameter("json", "The JSON text.", { required: true }),
      textParameter("query", "JSONata, such as items[price > 10].name.", { required: true }),
    ],
  },
  async run({ json = "", query = "" }, { clock, processor }) {
    const document = readDocument(json);
    return (await evaluateWith("query", query, document, { clock, processor })) ?? null;
  },
};
