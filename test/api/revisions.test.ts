import { expect, test } from "vitest";
import { newOrganization, problemOf } from "../harness/api.ts";

test("a sub-agent that does not exist is refused when the revision is created, wherever it is named", async () => {
  const own = await newOrganization();
  await own.send("POST", "/agents", { id: "known", displayName: "A" });
  await own.send("POST", "/agents", { id: "caller", displayName: "A" });
  const call = (id: string, agentId: string) => ({ id, type: "SubAgent", agentId });
  const create = (agentId: string) =>
    own.try("POST", "/agents/caller/revisions", {
      body: {
        subAgents: [
          { id: "helper", agentId },
          { id: "fine", agentId: "known" },
        ],
        flow: {
          steps: [
            call("a", "known"),
            call("b", agentId),
            { id: "c", type: "ForEach", items: [1], step: { type: "SubAgent", agentId } },
            {
              id: "d",
              type: "Prompt",
              prompt: "x",
              llm: { providerId: "echo" },
              tools: ["fine", "helper"],
            },
          ],
          edges: [],
        },
      },
    });
  const problem = problemOf(await create("ghost"));
  expect(problem).toMatchObject({
    slug: "validation-failed",
    status: 400,
    errors: [
      "/subAgents/0/agentId",
      "/flow/steps/1/agentId",
      "/flow/steps/2/step/agentId",
      "/flow/steps/3/tools/1",
    ].map((pointer) => ({ pointer, detail: expect.stringContaining('"ghost"') })),
  });
  expect((await create("known")).status).toBe(201);
  await own.send("POST", "/agents", { id: "gone", displayName: "A" });
  await own.send("DELETE", "/agents/gone");
  expect(problemOf(await create("gone")).slug).toBe("validation-failed");
});
