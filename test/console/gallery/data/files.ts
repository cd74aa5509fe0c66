import { unwrapBody } from "../../../../client/client.ts";
import type { DemoContext } from "./demo.ts";
import { drawPhoto } from "./photo.ts";
import type { Revision } from "./revisions.ts";

const agent = "claims";

const claimRevision: Revision = {
  parametersMetadata: [
    {
      name: "photo",
      type: "File",
      required: true,
      accept: ["image/*"],
      maxBytes: 10_000_000,
      description: "Photo of the damage",
    },
    {
      name: "papers",
      type: "File",
      multiple: true,
      accept: ["application/pdf", "text/*"],
      description: "Invoice, report of the police, and the like",
    },
  ],
  llmConfigs: [{ providerId: "openai", parameters: { model: "gpt-5-mini" } }],
  flow: {
    steps: [
      {
        id: "assess",
        type: "Prompt",
        prompt: "Describe the damage. What is missing in the papers?",
        files: ["{% input.photo %}", "{% input.papers %}"],
      },
      {
        id: "result",
        type: "Output",
        value: { assessment: "{% steps.assess.output %}", photo: "{% input.photo %}" },
      },
    ],
    edges: [{ source: "assess", target: "result" }],
  },
};

const invoice = "Position;Amount\nRoof tiles;1,240.00\nScaffold;380.00\n";

/** Creates an agent that takes files, and runs it with two. Returns the execution. */
export const createFiles = async ({ client, path }: DemoContext) => {
  const of = { params: { path: { ...path, agent } } };
  const body = { id: agent, displayName: "Claims", description: "Reads photos of damages." };
  await client.POST("/v1/tenants/{tenant}/agents", { params: { path }, body });
  await client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions", {
    ...of,
    body: claimRevision,
  });
  await client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:deploy", {
    params: { path: { ...path, agent, revision: 1 } },
  });
  const input = {
    photo: { base64: drawPhoto().toString("base64"), name: "roof.png" },
    papers: [{ base64: Buffer.from(invoice).toString("base64"), name: "invoice.csv" }],
  };
  const result = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", { ...of, body: { input } }),
  );
  return { claim: typeof result === "string" ? "" : result.executionId };
};
