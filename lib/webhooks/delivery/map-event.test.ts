import { expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { openSession } from "../../values/expression/evaluation-scope.ts";
import { ParameterDescriptor } from "../../values/json/parameters.ts";
import { evaluateInput } from "./map-event.ts";

const event = {
  provider: "github",
  eventType: "issues",
  deliveryId: null,
  headers: {},
  payload: { issue: { title: "It is stuck" } },
};

test("an optional input is left out where its expression selects nothing, and a required one is not", async () => {
  const mapping = { clock: () => 0, processor: testProcessor(1_000), session: openSession() };
  const parameters = [
    { name: "title", type: "String", required: true },
    { name: "owner", type: "String", required: true },
    { name: "url", type: "String" },
  ].map((parameter) => ParameterDescriptor.parse(parameter));
  const input = {
    title: "{% payload.issue.title %}",
    owner: "{% payload.issue.owner %}",
    url: "{% payload.issue.html_url %}",
  };
  expect(await evaluateInput({ input }, event, parameters, mapping)).toEqual({
    title: "It is stuck",
    owner: null,
  });
});
