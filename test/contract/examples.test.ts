import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import { exampleAccepted, exampleResponse, examplesPath } from "../../infra/openapi/examples.ts";
import { toOperationId } from "../../lib/edge/operation-id.ts";
import { RawBody } from "../../lib/platform/http/raw-body.ts";
import { sampleRequest } from "../suites/sample-request.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), "utf8"));

const Media = z.looseObject({ example: z.unknown().optional(), schema: z.unknown() });
const Content = z.record(z.string(), Media).default({});
const Parameter = z.union([
  z.object({ $ref: z.string() }),
  z.object({ name: z.string(), in: z.string(), schema: z.unknown() }),
]);
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(Parameter),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const { paths, components } = Document.parse(read("docs/openapi.json"));
const operations = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);

const Schema = z.looseObject({ $ref: z.string().optional(), example: z.unknown().optional() });

/** Whether a media type has an example, of its own or in its schema. */
const hasExample = ({ example, schema }: z.output<typeof Media>): boolean => {
  const { $ref, example: inSchema } = Schema.parse(schema);
  const name = $ref?.split("/").at(-1);
  return (
    example !== undefined ||
    inSchema !== undefined ||
    (name !== undefined && Schema.parse(components.schemas[name]).example !== undefined)
  );
};

test.each(routes.map((row) => [row.operation, row] as const))(
  "%s has an example of its request and of its response, which its schemas accept",
  (operation, row) => {
    const { parameters, requestBody, responses } = Operation.parse(
      operations.get(toOperationId(operation)),
    );
    for (const parameter of parameters) {
      if ("$ref" in parameter || parameter.in !== "path") continue;
      expect(hasExample({ schema: parameter.schema }), `no example of ${parameter.name}`).toBe(
        true,
      );
    }
    for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
      expect(hasExample(media), `no example of a ${type} request`).toBe(true);
    }
    for (const [status, { content }] of Object.entries(responses)) {
      if (!status.startsWith("2")) continue;
      const hint = `no example of the ${status} response: add it to ${examplesPath(row.group)}`;
      for (const media of Object.values(content)) expect(hasExample(media), hint).toBe(true);
    }
    const { body } = sampleRequest(row);
    if (row.body && row.body !== RawBody) {
      expect(row.body.safeParse(body)).toMatchObject({ success: true });
    }
    const { schema } = row.response;
    if (schema) expect(schema.parse(exampleResponse(row))).toEqual(exampleResponse(row));
    if (schema && row.response.accepted)
      expect(schema.parse(exampleAccepted(row))).toMatchObject({ status: "Queued", endTime: null });
  },
);

/** Members that a response shows in another form than the request: masked, or with defaults. */
const shownOtherwise = ["auth", "parametersMetadata"];

test("an example response has the values of the example request", () => {
  const Members = z.record(z.string(), z.unknown()).catch({});
  const different = routes.flatMap((row) => {
    const shown = Members.parse(exampleResponse(row));
    return Object.entries(Members.parse(row.body?.meta()?.example))
      .filter(([name]) => Object.hasOwn(shown, name) && !shownOtherwise.includes(name))
      .filter(([name, value]) => !isDeepStrictEqual(shown[name], value))
      .map(([name]) => `${row.operation}: ${name}`);
  });
  expect(different).toEqual([]);
});

test("only the responses that create a webhook or an event destination show its signing secret", () => {
  const showing = routes.filter((row) =>
    JSON.stringify(exampleResponse(row) ?? null).includes('"signingSecret":"'),
  );
  expect(showing.map(({ operation }) => operation)).toEqual([
    "create-event-destination",
    "create-webhook",
  ]);
});

test("every example response is that of an operation in its group", () => {
  const groups = readdirSync(new URL("functions", root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const named = groups.flatMap((group) => {
    const path = new URL(examplesPath(group), root);
    const names = Object.keys(z.record(z.string(), z.unknown()).parse(readOptional(path)));
    return names.map((operation) => `${group}/${operation}`);
  });
  const known = routes.map(({ group, operation }) => `${group}/${operation}`);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

const readOptional = (path: URL): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
};
