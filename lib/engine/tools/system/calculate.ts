import { type Tool, ToolError } from "../tool.ts";
import { evaluateWith } from "./evaluate-with.ts";
import { textParameter } from "./text-parameter.ts";

/** Tool `calculate`: evaluates an arithmetic expression. */
export const calculate: Tool = {
  descriptor: {
    id: "calculate",
    displayName: "Calculate",
    description: "Calculates an arithmetic expression such as (1 + 2) * 3 or $sqrt(2).",
    actionType: "ReadOnly",
    resultType: "Json",
    parametersMetadata: [textParameter("expression", "Arithmetic in JSONata.", { required: true })],
  },
  async run({ expression = "" }, { clock, processor }) {
    const result = await evaluateWith("expression", expression, {}, { clock, processor });
    if (typeof result === "number") return result;
    throw new ToolError('"expression" must return a number.');
  },
};
