import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";
import { choosePath } from "../../stored-files/choose-path.ts";
import { requireFree, saveContent, writeContent } from "../../stored-files/save-content.ts";

type Input = GlobalInput & { id: string; path: string | undefined; force: boolean };

/** Runs `wharf files download`. */
export const downloadFile = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const params = { path: { tenant, file: input.id } };
  const file = await unwrapBody(client.GET("/v1/tenants/{tenant}/files/{file}", { params }));
  const isPiped = input.path === "-";
  const path = isPiped ? "-" : await choosePath(io.cwd, input.path, file);
  if (!isPiped) requireFree(path, input.force);
  const address = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/files/{file}/content", {
      params: { ...params, query: { redirect: "false" } },
    }),
  );
  const url = readUrl(address);
  if (isPiped) return writeContent(url, io.stdout);
  await saveContent(url, path, input.force);
  if (input.json) printJson(io, { ...file, path });
  else printMessage(io, `Saved ${path} (${file.mediaType}, ${file.bytes} bytes).`);
};

const readUrl = (address: unknown): string => {
  const { url } = Object(address);
  if (typeof url === "string" && URL.canParse(url)) return url;
  throw failed("The response has no URL to download the file from.");
};
