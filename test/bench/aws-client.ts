import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { createDocumentClient } from "../../lib/platform/db/document-client.ts";
import { trimClient } from "../../lib/platform/runtime/aws-client.ts";
import { requestHandler } from "../../lib/platform/runtime/aws-handler.ts";
import type { Topic } from "./bench.ts";
import { startChild } from "./child.ts";
import { interleave } from "./interleave.ts";
import { median, quantile } from "./statistics.ts";

const callsPerTurn = 500;
const timeoutMs = 5_000;

/** Processor time of a `GetItem` in the SDK's client, and with the parts of it that we replace. */
export const awsClient: Topic = async ({ short }) => {
  const server = startChild(new URL("aws-client-server.ts", import.meta.url));
  const { port } = await server.receive(z.object({ port: z.int() }));
  const config = {
    endpoint: `http://127.0.0.1:${port}`,
    region: "eu-west-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  };
  const withHandler = { ...config, requestHandler: requestHandler(timeoutMs) };
  const { from } = DynamoDBDocumentClient;
  const clients = [
    { name: "the SDK's", client: from(new DynamoDBClient(config)) },
    { name: "with our HTTP client", client: from(new DynamoDBClient(withHandler)) },
    { name: "with our signer, trimmed", client: from(trimClient(new DynamoDBClient(config))) },
    {
      name: "with middlewares joined once",
      client: createDocumentClient(new DynamoDBClient(config)),
    },
    { name: "with all", client: createDocumentClient(trimClient(new DynamoDBClient(withHandler))) },
  ].map((variant) => ({ ...variant, times: [] as number[] }));
  try {
    for (const { client } of clients) await measureCalls(client);
    await interleave(
      clients.map(({ client, times }) => async () => {
        times.push(await measureCalls(client));
      }),
      short ? { turns: 1, seconds: 1 } : { turns: 40, seconds: 90 },
    );
  } finally {
    for (const { client } of clients) client.destroy();
    await server.close();
  }
  const standard = clients[0]?.times ?? [];
  return {
    title: "aws-client: processor time of a GetItem, one call at a time",
    columns: ["client", "CPU, µs", "saved, %", "quartiles, %"],
    rows: clients.map(({ name, times }) => {
      const saved = times.map((time, turn) => (1 - time / (standard[turn] ?? Number.NaN)) * 100);
      const quartiles = [0.25, 0.75].map((part) => quantile(saved, part).toFixed(0));
      return [name, median(times), median(saved), quartiles.join(" to ")];
    }),
  };
};

/** Returns the microseconds of processor time per call. */
const measureCalls = async (client: DynamoDBDocumentClient): Promise<number> => {
  const before = process.cpuUsage();
  for (let call = 0; call < callsPerTurn; call += 1) {
    await client.send(new GetCommand({ TableName: "table", Key: { pk: "T#demo" } }));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / callsPerTurn;
};
