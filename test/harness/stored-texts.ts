import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paginateScan } from "@aws-sdk/lib-dynamodb";
import { inject } from "vitest";
import { tableOfStack } from "./stack-table.ts";

/** Returns which of some texts the running stack keeps: in an item of its table, or in a file of its data folder. */
export const findStoredTexts = async (texts: readonly string[]): Promise<string[]> => {
  const { client, table } = tableOfStack();
  const found = new Set<string>();
  const look = (content: Buffer) => {
    for (const text of texts) if (content.includes(text)) found.add(text);
  };
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table }))
    for (const item of Items) {
      look(Buffer.from(JSON.stringify(item)));
      for (const value of Object.values(item))
        if (value instanceof Uint8Array) look(Buffer.from(value));
    }
  const files = readdirSync(inject("stack").dataDir, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of files.filter((entry) => entry.isFile()))
    look(readFileSync(join(parentPath, name)));
  return [...found];
};
