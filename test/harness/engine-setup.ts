import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { findFreePort } from "../../infra/local/free-port.ts";

declare module "vitest" {
  interface ProvidedContext {
    dynamodbEndpoint: string;
  }
}

/** Starts an in-memory DynamoDB engine for all tests of stores and rules. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) {
    project.provide("dynamodbEndpoint", given);
    return async () => undefined;
  }
  const port = await findFreePort();
  const binary = createRequire(import.meta.url).resolve(
    `@dynoxide/${process.platform}-${process.arch}/dynoxide`,
  );
  const engine = spawn(binary, ["serve", "--port", String(port)], { stdio: "ignore" });
  await untilConnected(port);
  project.provide("dynamodbEndpoint", `http://127.0.0.1:${port}`);
  return async () => {
    engine.kill();
    await once(engine, "exit");
  };
};

const untilConnected = async (port: number): Promise<void> => {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    const isReady = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isReady) return;
    await sleep(10);
  }
  throw new Error("the DynamoDB engine does not respond");
};
