import { randomUUID } from "node:crypto";
import * as z from "zod";
import {
  differs,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  stillOpen,
  unsuccessful,
  wrongEffects,
} from "../scenario.ts";
import type { TestTenant, World } from "../world.ts";
import { effectStep } from "./steps.ts";

const Stored = z.looseObject({ id: z.string() });
const Upload = z.looseObject({ id: z.string(), uploadUrl: z.string().nullable() });
const Execution = z.looseObject({ executionId: z.string() });
const Record = z.looseObject({ output: z.unknown() });
const FileItem = z.looseObject({
  id: z.string(),
  name: z.string(),
  object: z.string(),
  status: z.literal("Stored"),
});
const Use = z.looseObject({ sk: z.string().startsWith("USE#"), executionId: z.string() });

const toName = (n: number): string => `file-${n}.txt`;
const toContent = (n: number): string => `Content of ${n}`;

/** A file that is stored, one that is uploaded and one that is part of an input; every request is sent twice. */
export const files: Scenario = {
  name: "files",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await tenant.deployAgent("reader", {
      parametersMetadata: [
        { name: "id", type: "String", required: true },
        { name: "document", type: "File", multiple: true, required: true },
      ],
      llmConfigs: [{ providerId: "echo" }],
      flow: {
        steps: [
          effectStep(world, "{% input.id %}"),
          { id: "read", type: "Prompt", prompt: "Read", files: ["{% input.document %}"] },
        ],
        edges: [{ source: "effect", target: "read" }],
      },
    });
    const names: string[] = [];
    const uploaded = new Map<string, number>();
    const started = new Map<string, number>();
    const wrong: string[] = [];
    /** Names of the files of refused starts that were sent once. */
    const refused: string[] = [];
    const execute = async (n: number, document: unknown) => {
      const id = `${tenant.id}-file-${n}`;
      names.push(id);
      const sent = {
        body: { input: { id, document: [document] } },
        headers: {
          "idempotency-key": randomUUID(),
          ...(n % 2 === 1 && { Prefer: "respond-async" }),
        },
      };
      const { body } = await tenant.mustSend("POST", "/agents/reader:execute", sent);
      const { executionId } = Execution.parse(body);
      const again = await tenant.mustSend("POST", "/agents/reader:execute", sent);
      wrong.push(
        ...differs("the repeated start", Execution.parse(again.body).executionId, executionId),
      );
      started.set(executionId, n);
    };
    const refuse = async (n: number) => {
      const name = `refused-${n}.txt`;
      const document = [{ base64: Buffer.from(name).toString("base64"), name }, { base64: "" }];
      const { status, isRepeated } = await tenant.send("POST", "/agents/reader:execute", {
        body: { input: { id: "refused", document } },
      });
      wrong.push(...differs(`the status of the refused start ${n}`, status, 400));
      if (!isRepeated) refused.push(name);
    };
    return {
      tenantId: tenant.id,
      act: async (unit) => {
        const [first, second, third] = [3 * unit, 3 * unit + 1, 3 * unit + 2];
        const stored = await store(tenant, first);
        uploaded.set(stored, first);
        await execute(first, { fileId: stored });
        const sent = await upload(world, tenant, second);
        uploaded.set(sent, second);
        await execute(second, { fileId: sent });
        const base64 = Buffer.from(toContent(third)).toString("base64");
        await execute(third, { base64, name: toName(third) });
        await refuse(unit);
      },
      check: async () => {
        const open = await settled(async () => {
          const records = await listRecords(tenant, "reader");
          return [...(await leftovers(world, tenant.id)), ...stillOpen(records)];
        });
        const records = await listRecords(tenant, "reader");
        const ids = records.map(({ id }) => id);
        return [
          ...wrong,
          ...open,
          ...differs("ids of executions", ids.toSorted(), [...started.keys()].toSorted()),
          ...(await unsuccessful(tenant, records)),
          ...wrongEffects(world, names),
          ...(await wrongOutputs(tenant, started)),
          ...(await wrongContents(world, tenant, uploaded)),
          ...(await wrongObjects(world, tenant.id, { started, uploaded, refused })),
        ];
      },
    };
  },
};

/** Stores a file as the body of a request; returns its id. */
const store = async (tenant: TestTenant, n: number): Promise<string> => {
  const sent = { raw: toContent(n), headers: { "idempotency-key": randomUUID() } };
  const path = `/files?name=${toName(n)}`;
  const { id } = Stored.parse((await tenant.mustSend("POST", path, sent)).body);
  const again = Stored.parse((await tenant.mustSend("POST", path, sent)).body);
  if (again.id !== id) throw new Error(`the file ${id} was stored again as ${again.id}`);
  return id;
};

/** Sends a file to the address of an upload, which is completed twice; returns its id. */
const upload = async (world: World, tenant: TestTenant, n: number): Promise<string> => {
  const content = toContent(n);
  const body = { name: toName(n), mediaType: "text/plain", bytes: Buffer.byteLength(content) };
  const created = await tenant.mustSend("POST", "/files:upload", { body });
  const { id, uploadUrl } = Upload.parse(created.body);
  // The replay of a response that was lost has no address.
  if (uploadUrl === null) return upload(world, tenant, n);
  await world.bucket.put(uploadUrl, content);
  await tenant.mustSend("POST", `/files/${id}:complete`);
  await tenant.mustSend("POST", `/files/${id}:complete`);
  return id;
};

/** Reports executions of which the model did not get the file. */
const wrongOutputs = async (
  tenant: TestTenant,
  started: ReadonlyMap<string, number>,
): Promise<string[]> => {
  const found: string[] = [];
  for (const [id, n] of started) {
    const path = `/agents/reader/execution-records/${id}`;
    const { output } = Record.parse((await tenant.mustSend("GET", path)).body);
    const text = JSON.stringify(output);
    if (!text.includes(toName(n)) || !text.includes(toContent(n))) found.push(`${id} read ${text}`);
  }
  return found;
};

const Address = z.object({ url: z.string() });

/** Reports uploaded files that cannot be downloaded as they were sent. */
const wrongContents = async (
  { bucket }: World,
  tenant: TestTenant,
  uploaded: ReadonlyMap<string, number>,
): Promise<string[]> => {
  const found: string[] = [];
  for (const [id, n] of uploaded) {
    const { body } = await tenant.mustSend("GET", `/files/${id}/content?redirect=false`);
    const content = await bucket.get(Address.parse(body).url);
    found.push(...differs(`the content of ${id}`, content, toContent(n)));
  }
  return found;
};

/**
 * Reports files without content, executions without their file, files of refused starts, and content that neither a file nor
 * the rule of the bucket removes.
 */
const wrongObjects = async (
  world: World,
  tenantId: string,
  {
    started,
    uploaded,
    refused,
  }: {
    started: ReadonlyMap<string, number>;
    uploaded: ReadonlyMap<string, number>;
    refused: readonly string[];
  },
): Promise<string[]> => {
  const all = await world.findItems(tenantId);
  const items = all.flatMap((item) => FileItem.safeParse(item).data ?? []);
  const users = new Set(all.flatMap((item) => Use.safeParse(item).data?.executionId ?? []));
  const objects = await world.bucket.list(tenantId);
  const stored = new Set(objects);
  const known = new Set(items.map(({ id }) => id));
  return [
    ...items.flatMap(({ id, object }) => (stored.has(object) ? [] : [`${id} has no content`])),
    ...[...started.keys()].flatMap((id) => (users.has(id) ? [] : [`${id} uses no file`])),
    ...[...uploaded.keys()].flatMap((id) => (known.has(id) ? [] : [`${id} is not stored`])),
    ...items.flatMap(({ name }) => (refused.includes(name) ? [`${name} was left`] : [])),
    // An attempt that failed before its item was written leaves content that the bucket removes with that of its class.
    ...objects
      .filter((key) => !/^(?:files\/30|uploads)\//.test(key) && key.includes("file"))
      .map((key) => `${key} is never removed`),
  ];
};
