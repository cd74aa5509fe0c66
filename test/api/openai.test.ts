import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createOpenAI } from "@ai-sdk/openai";
import OpenAI, {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
} from "openai";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { call, newOrganization } from "../harness/api.ts";
import { listen } from "../harness/listen.ts";

const echo = { llmConfigs: [{ providerId: "echo", parameters: {} }] };
const say = { id: "say", type: "Prompt", system: "Be brief.", prompt: "{% input.message %}" };
const message = { name: "message", type: "String", required: true };

/** Responds with the message, word by word. */
const helper = { ...echo, parametersMetadata: [message], flow: { steps: [say], edges: [] } };

/** Fails after a minute. */
const slow = {
  parametersMetadata: [message],
  flow: {
    steps: [
      {
        id: "try",
        type: "Transform",
        value: "{% $error('not yet') %}",
        retry: { maxAttempts: 2, backoffSeconds: 60, on: ["execution-failed"] },
      },
    ],
    edges: [],
  },
};

const failing = {
  parametersMetadata: [message],
  flow: {
    steps: [{ id: "fail", type: "Transform", value: "{% $error('no such order') %}" }],
    edges: [],
  },
};

const asking = {
  parametersMetadata: [message],
  flow: { steps: [{ id: "ask", type: "Approval", title: "Refund?" }], edges: [] },
};

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(64),
]);
const pdf = Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n");
const toDataUrl = (type: string, content: Buffer) =>
  `data:${type};base64,${content.toString("base64")}`;

/** Responds with its message and what it was sent. */
const viewer = {
  parametersMetadata: [
    { name: "message", type: "String" },
    { name: "photo", type: "File", accept: ["image/*"], maxBytes: 1_000 },
    { name: "papers", type: "File", accept: ["application/pdf", "text/*"], multiple: true },
    { name: "voice", type: "File", accept: ["audio/*"] },
  ],
  flow: { steps: [{ id: "out", type: "Output", value: "{% input %}" }], edges: [] },
};
const Sent = z.object({ name: z.string(), mediaType: z.string(), id: z.string() });
const Viewed = z.object({
  message: z.string().optional(),
  photo: Sent.optional(),
  papers: z.array(Sent).optional(),
  voice: Sent.optional(),
});
const view = (text: string) => Viewed.parse(JSON.parse(text));

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const clientFor = (own: Organization, apiKey: string, maxRetries = 0) =>
  new OpenAI({ baseURL: `${inject("stack").baseUrl}${own.base}/openai`, apiKey, maxRetries });

/** Returns the error of a call; undefined for a success. */
const caught = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );

let own: Organization;
let openai: OpenAI;
beforeAll(async () => {
  own = await newOrganization();
  await own.deployAgent("helper", helper, "Helper");
  await own.deployAgent("talk", { ...helper, useSession: true });
  await own.deployAgent("slow", slow);
  await own.deployAgent("failing", failing);
  await own.deployAgent("asking", asking);
  await own.deployAgent("places", {
    ...helper,
    flow: { steps: [{ ...say, outputSchema: schema }], edges: [] },
  });
  await own.deployAgent("steps", {
    ...helper,
    flow: {
      steps: [say, { id: "end", type: "Output", value: "Said: {% steps.say.output %}" }],
      edges: [{ source: "say", target: "end" }],
    },
  });
  await own.deployAgent("twice", {
    ...helper,
    flow: { steps: [say, { ...say, id: "again" }], edges: [{ source: "say", target: "again" }] },
  });
  await own.deployAgent("silent", {
    parametersMetadata: [message],
    flow: { steps: [{ id: "out", type: "Output", value: null }], edges: [] },
  });
  await own.deployAgent("viewer", viewer);
  await own.deployAgent("history", {
    parametersMetadata: [
      { name: "message", type: "String" },
      { name: "history", type: "Json" },
    ],
    flow: { steps: [{ id: "out", type: "Output", value: "{% input %}" }], edges: [] },
  });
  openai = clientFor(own, await own.mintKey(["agents:execute"]));
});

describe("the OpenAI package", () => {
  test("creates a response of an agent and reads it again, with its usage", async () => {
    const created = await openai.responses.create({
      model: "helper",
      input: "Hello there",
      // As agents for coding send it with every request.
      prompt_cache_key: "conversation-1",
    });
    expect(created.output_text).toBe("Hello there");
    expect(created).toMatchObject({
      object: "response",
      status: "completed",
      model: "helper@1",
      error: null,
      usage: {
        input_tokens: 5,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 3,
        total_tokens: 8,
      },
    });
    expect(await openai.responses.retrieve(created.id)).toEqual(created);
    const revision = await openai.responses.create({
      model: "helper@1",
      input: [{ role: "user", content: [{ type: "input_text", text: "Hi" }] }],
      metadata: { ticket: "7" },
    });
    expect(revision).toMatchObject({ output_text: "Hi", metadata: { ticket: "7" } });
    expect(await openai.responses.retrieve(revision.id)).toEqual(revision);
  });

  test("streams a response in the order of Open Responses, and ends as the response is read later", async () => {
    const stream = await openai.responses.create({
      model: "helper",
      input: "one two three",
      stream: true,
    });
    const events = await Array.fromAsync(stream);
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    const last = events.at(-1);
    if (last?.type !== "response.completed") throw new Error("not completed");
    const read = await openai.responses.retrieve(last.response.id);
    expect(read.output).toEqual(last.response.output);
    const helped = openai.responses.stream({ model: "helper", input: "one two" });
    expect((await helped.finalResponse()).output_text).toBe("one two");
  });

  test("an output that is null is one empty message, in a stream, the response and when it is read later", async () => {
    const asked = { model: "silent", input: "x" };
    const created = await openai.responses.create(asked);
    expect(created.output).toMatchObject([{ type: "message", content: [{ text: "" }] }]);
    const events = await Array.fromAsync(await openai.responses.create({ ...asked, stream: true }));
    const last = events.at(-1);
    if (last?.type !== "response.completed") throw new Error("not completed");
    expect(events.map(({ type }) => type)).toContain("response.output_item.done");
    expect(last.response.output).toMatchObject([{ type: "message", content: [{ text: "" }] }]);
    const read = await openai.responses.retrieve(last.response.id);
    expect(read.output).toEqual(last.response.output);
  });

  test("streams the output of the flow only, not the texts of the steps before", async () => {
    const stream = await openai.responses.create({ model: "steps", input: "a b", stream: true });
    const texts = (await Array.fromAsync(stream)).flatMap((event) =>
      event.type === "response.output_text.delta" ? [event.delta] : [],
    );
    expect(texts).toEqual(["Said: a b"]);
  });

  test("continues a session by previous_response_id and by conversation", {
    tags: "nightly",
  }, async () => {
    const first = await openai.responses.create({ model: "talk", input: "one" });
    const second = await openai.responses.create({
      model: "talk",
      input: "two",
      previous_response_id: first.id,
    });
    expect(second.conversation).toEqual(first.conversation);
    // The echo model counts all messages that it is sent.
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? 0);
    const conversation = `ticket-${randomUUID()}`;
    await openai.responses.create({ model: "talk", input: "one", conversation });
    const next = await openai.responses.create({
      model: "talk",
      input: "two",
      conversation: { id: conversation },
    });
    expect(next.conversation).toEqual({ id: conversation });
    const path = `/agents/talk/sessions/${conversation}/messages`;
    expect((await own.send("GET", path)).body).toMatchObject({
      items: [{ text: "one" }, { text: "one" }, { text: "two" }, { text: "two" }],
    });
  });

  test("a response that is read later repeats its request as the response to the request does", async () => {
    const first = await openai.responses.create({ model: "talk", input: "one" });
    const asked = {
      input: [
        { role: "system" as const, content: "Speak as a pirate." },
        { role: "user" as const, content: '{"city":"Oslo"}' },
      ],
      instructions: "Be kind.",
      max_output_tokens: 100,
      metadata: { ticket: "7" },
      user: "ada",
      safety_identifier: "ada-1",
    };
    const format = { type: "json_schema" as const, name: "place", schema };
    const conversation = { id: `ticket-${randomUUID()}` };
    for (const [more, session] of [
      [{ model: "talk", previous_response_id: first.id }, first.conversation],
      [{ model: "talk", conversation: conversation.id }, conversation],
      [{ model: "places", text: { format } }, null],
    ] as const) {
      const created = await openai.responses.create({ ...asked, ...more });
      const { input: _, model: __, ...repeated } = { ...asked, ...more };
      const shown = { ...repeated, conversation: session, status: "completed" };
      expect(created).toMatchObject(shown);
      expect(await openai.responses.retrieve(created.id)).toEqual(created);
    }
  });

  test("polls a response in the background, which says that its output was cut", async () => {
    const started = await openai.responses.create({
      model: "helper",
      input: "Hello there",
      background: true,
      max_output_tokens: 2,
      metadata: { ticket: "7" },
    });
    expect(started).toMatchObject({ status: "queued", background: true, output: [], usage: null });
    const read = async () => openai.responses.retrieve(started.id);
    await expect.poll(async () => (await read()).status).toBe("incomplete");
    const { output, usage, ...rest } = await read();
    const { output: _, usage: __, ...before } = started;
    expect(rest).toEqual({
      ...before,
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output_text: "Hello th",
    });
    expect(output).toMatchObject([{ content: [{ text: "Hello th" }] }]);
    expect(usage?.output_tokens).toBe(2);
  });

  test("cancels a response in the background, which keeps what its request says", async () => {
    const started = await openai.responses.create({
      model: "slow",
      input: "x",
      background: true,
      instructions: "Be kind.",
      metadata: { ticket: "7" },
    });
    const { id } = started;
    const cancelled = await openai.responses.cancel(id);
    const { usage, ...shown } = cancelled;
    const { output_text: _, usage: __, ...before } = started;
    expect(shown).toEqual({ ...before, status: "cancelled" });
    expect(usage).toMatchObject({ output_tokens: 0 });
    const { usage: ___, ...read } = await openai.responses.retrieve(id);
    expect(read).toEqual({ ...shown, output_text: "" });
    const again = await caught(openai.responses.cancel(id));
    expect(again).toBeInstanceOf(ConflictError);
    expect(again).toMatchObject({ code: "conflict", param: "response_id" });
  });

  test("creates and streams chat completions; the model sees earlier messages and instructions", async () => {
    const messages = [{ role: "user" as const, content: "Hello there" }];
    const plain = await openai.chat.completions.create({ model: "helper", messages });
    expect(plain).toMatchObject({
      object: "chat.completion",
      model: "helper@1",
      choices: [{ message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    });
    const more = await openai.chat.completions.create({
      model: "helper",
      messages: [
        { role: "system", content: "Speak as a pirate." },
        { role: "user", content: "My name is Alice." },
        { role: "assistant", content: "Hello Alice!" },
        ...messages,
      ],
    });
    expect(more.choices[0]?.message.content).toBe("Hello there");
    const sent = "Be brief." + "My name is Alice." + "Hello Alice!" + "Hello there";
    expect(more.usage?.prompt_tokens).toBeGreaterThan(sent.length / 4);
    const [, executionId = ""] = /^chatcmpl-(\w{32})_helper$/.exec(more.id) ?? [];
    const record = executionId.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    const trace = await own.send("GET", `/agents/helper/execution-records/${record}/trace`);
    expect(trace.text).toContain("Speak as a pirate.");
    const stream = openai.chat.completions.stream({
      model: "helper",
      messages,
      stream_options: { include_usage: true },
    });
    expect(await stream.finalContent()).toBe("Hello there");
    expect(await stream.totalUsage()).toMatchObject({ total_tokens: 8 });
  });

  test("limits the tokens that models generate, and says where an output was cut", async () => {
    const messages = [{ role: "user" as const, content: "Hello there" }];
    for (const limit of [{ max_completion_tokens: 2 }, { max_tokens: 2 }]) {
      const cut = await openai.chat.completions.create({ model: "helper", messages, ...limit });
      expect(cut.choices).toMatchObject([
        { message: { content: "Hello th" }, finish_reason: "length" },
      ]);
    }
    // Two answers that were not cut off, of more tokens together than a call may generate.
    const two = { model: "twice", messages, max_tokens: 4 };
    expect((await openai.chat.completions.create(two)).choices).toMatchObject([
      { message: { content: "Hello there" }, finish_reason: "stop" },
    ]);
    const both = { model: "twice", input: "Hello there", max_output_tokens: 4 };
    const uncut = await openai.responses.create(both);
    expect(uncut).toMatchObject({ status: "completed", usage: { output_tokens: 6 } });
    expect(await openai.responses.retrieve(uncut.id)).toEqual(uncut);
    const streaming = { model: "helper", messages, max_tokens: 2, stream: true } as const;
    const reasons: unknown[] = [];
    for await (const chunk of await openai.chat.completions.create(streaming)) {
      reasons.push(chunk.choices[0]?.finish_reason);
    }
    expect(reasons.at(-1)).toBe("length");

    const asked = { model: "helper", input: "Hello there" };
    const whole = await openai.responses.create({ ...asked, max_output_tokens: 100 });
    expect(whole).toMatchObject({ status: "completed", max_output_tokens: 100 });
    const part = await openai.responses.create({ ...asked, max_output_tokens: 2 });
    expect(part).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output_text: "Hello th",
    });
    const events = openai.responses.stream({ ...asked, max_output_tokens: 2 });
    const types: string[] = [];
    for await (const event of events) types.push(event.type);
    expect(types.at(-1)).toBe("response.incomplete");
  });

  test("takes the JSON Schema of the agent's own output, and no other", {
    tags: "nightly",
  }, async () => {
    const input = '{"city":"Oslo"}';
    const format = { type: "json_schema" as const, name: "place", schema };
    const answer = await openai.responses.create({
      model: "places",
      input,
      text: { format },
    });
    expect(answer.output_text).toBe(input);
    const chat = await openai.chat.completions.create({
      model: "places",
      messages: [{ role: "user", content: input }],
      response_format: { type: "json_schema", json_schema: { name: "place", schema } },
    });
    expect(chat.choices[0]?.message.content).toBe(input);
    const other = { ...format, schema: { type: "object" } };
    const refused = await caught(
      openai.responses.create({ model: "places", input, text: { format: other } }),
    );
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ param: "text.format" });
  });

  test("lists the deployed agents that a key may run as models, also for a key that may only execute", {
    tags: "nightly",
  }, async () => {
    await own.send("POST", "/agents", { id: "draft", displayName: "Draft" });
    const models = await Array.fromAsync(openai.models.list());
    expect(models.map(({ id }) => id)).toEqual([
      "asking",
      "failing",
      "helper",
      "history",
      "places",
      "silent",
      "slow",
      "steps",
      "talk",
      "twice",
      "viewer",
    ]);
    expect(models[2]).toMatchObject({ object: "model", name: "Helper", owned_by: own.tenantId });
    const readsOnly = clientFor(own, await own.mintKey(["agents:read"]));
    expect(await Array.fromAsync(readsOnly.models.list())).toEqual([]);
    const executesOnly = clientFor(own, await own.mintKey(["agents:execute"]));
    expect(await Array.fromAsync(executesOnly.models.list())).toHaveLength(models.length);
    const neither = clientFor(own, await own.mintKey(["keys:read"]));
    expect(await caught(neither.models.list())).toBeInstanceOf(PermissionDeniedError);
  });

  test("retrieves a model by the name of an agent or of a revision, as the list has it", async () => {
    await own.send("POST", "/agents", { id: "unreleased", displayName: "Unreleased" });
    await own.send("POST", "/agents/unreleased/revisions", helper);
    const { data } = await openai.models.list();
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["helper", "talk"]));
    expect(data.map(({ id }) => id)).not.toContain("unreleased");
    const listed = data.find(({ id }) => id === "helper");
    expect(listed).toMatchObject({ object: "model", name: "Helper", owned_by: own.tenantId });
    expect(await openai.models.retrieve("helper")).toEqual(listed);
    const revision = { ...listed, id: "helper@1" };
    expect(await openai.models.retrieve("helper@1")).toEqual(revision);
    expect(await openai.models.retrieve("unreleased@1")).toMatchObject({ id: "unreleased@1" });
    const readsOnly = clientFor(own, await own.mintKey(["agents:read"]));
    const missing = { status: 404, code: "model_not_found", type: "not_found", param: "model" };
    for (const [client, model] of [
      [openai, "nobody"],
      [openai, "unreleased"],
      [openai, "helper@2"],
      [openai, "a b"],
      [readsOnly, "helper"],
    ] as const) {
      const error = await caught(client.models.retrieve(model));
      expect(error, model).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject(missing);
    }
    const neither = clientFor(own, await own.mintKey(["keys:read"]));
    const refused = await caught(neither.models.retrieve("helper"));
    expect(refused).toBeInstanceOf(PermissionDeniedError);
    expect(refused).toMatchObject({ code: "insufficient-scope" });
  });

  test("shows an execution that waits for people: in progress, with its approval", async () => {
    const waiting = await openai.responses.create({ model: "asking", input: "x" });
    expect(waiting).toMatchObject({
      status: "in_progress",
      output: [
        { type: "wharf:approval_request", title: "Refund?", actions: ["approve", "reject"] },
      ],
    });
    const read = await openai.responses.retrieve(waiting.id);
    expect(read).toMatchObject({ status: "in_progress", output: waiting.output });
  });

  test("ends the stream of an execution that waits for people, and a completion says what it waits for", {
    tags: "nightly",
  }, async () => {
    const events = await Array.fromAsync(
      await openai.responses.create({ model: "asking", input: "x", stream: true }),
    );
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "waiting" } },
    });
    const chat = await openai.chat.completions.create({
      model: "asking",
      messages: [{ role: "user", content: "x" }],
    });
    expect(chat.choices[0]?.message.content).toContain('"Refund?"');
  });
});

describe("images and files by the OpenAI package", () => {
  let server: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    server = await listen(
      createServer(({ url = "" }, response) => {
        if (url.startsWith("/missing")) response.writeHead(404);
        response.end(url.endsWith(".pdf") ? pdf : png);
      }),
    );
  });
  afterAll(() => server.close());

  /** Stores a file with the key of the client. */
  const store = async (name: string, content: Buffer) => {
    const path = `${own.base}/files?name=${name}`;
    const { body } = await call("POST", path, { key: openai.apiKey ?? "", raw: content });
    return z.object({ id: z.string() }).parse(body).id;
  };
  const ask = (content: OpenAI.Responses.ResponseInputContent[]) =>
    openai.responses.create({ model: "viewer", input: [{ role: "user", content }] });
  const say = (text: string) => ({ type: "input_text" as const, text });
  const image = (image_url: string) => ({
    type: "input_image" as const,
    image_url,
    detail: "auto" as const,
  });

  test("an image by its address, a data: URL and the id of a stored file is the input that accepts images", async () => {
    const stored = await store("stored.png", png);
    for (const [part, name] of [
      [image(`${server.url}/my%20cat.png`), "my cat.png"],
      [image(toDataUrl("image/png", png)), "image.png"],
      [{ type: "input_image" as const, file_id: stored, detail: "auto" as const }, "stored.png"],
    ] as const) {
      const { output_text: text } = await ask([say("What is this?"), part]);
      expect(view(text)).toMatchObject({
        message: "What is this?",
        photo: { name, mediaType: "image/png" },
      });
    }
  });

  test("files go to the inputs that accept their type, and are streamed as others are", async () => {
    const content = [
      { type: "input_file" as const, file_url: `${server.url}/a.pdf` },
      { type: "input_file" as const, file_data: toDataUrl("text/csv", Buffer.from("a,b\n")) },
      {
        type: "input_file" as const,
        file_data: pdf.toString("base64"),
        filename: "invoice.pdf",
      },
      image(toDataUrl("image/jpeg", png)),
    ];
    const stream = openai.responses.stream({
      model: "viewer",
      input: [{ role: "user", content }],
    });
    const viewed = view((await stream.finalResponse()).output_text);
    expect(viewed.message).toBeUndefined();
    expect(viewed.photo?.mediaType).toBe("image/png");
    expect(viewed.papers?.map(({ name, mediaType }) => [name, mediaType])).toEqual([
      ["a.pdf", "application/pdf"],
      ["file.csv", "text/csv"],
      ["invoice.pdf", "application/pdf"],
    ]);
  });

  test("chat completions take images, files and audio, also as a stream", async () => {
    const wav = Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt "), Buffer.alloc(32)]);
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: "text", text: "Look" },
      { type: "image_url", image_url: { url: `${server.url}/cat` } },
      { type: "file", file: { file_data: toDataUrl("application/pdf", pdf), filename: "a.pdf" } },
      { type: "file", file: { file_id: await store("b.txt", Buffer.from("Hello")) } },
      { type: "input_audio", input_audio: { data: wav.toString("base64"), format: "wav" } },
    ];
    const request = { model: "viewer", messages: [{ role: "user" as const, content }] };
    const plain = await openai.chat.completions.create(request);
    const streamed = await openai.chat.completions.stream(request).finalContent();
    for (const text of [plain.choices[0]?.message.content, streamed]) {
      expect(view(text ?? "")).toMatchObject({
        message: "Look",
        photo: { name: "cat", mediaType: "image/png" },
        papers: [{ name: "a.pdf" }, { name: "b.txt", mediaType: "text/plain" }],
        voice: { name: "audio.wav", mediaType: "audio/wav" },
      });
    }
  });

  test("files of earlier messages fill inputs that the last one leaves empty, and are named in the history", async () => {
    const input = [
      { role: "user" as const, content: [say("One"), image(`${server.url}/one.png`)] },
      { role: "assistant" as const, content: "A cat." },
      { role: "user" as const, content: [say("Two"), image(`${server.url}/two.png`)] },
      { role: "assistant" as const, content: "A dog." },
      { role: "user" as const, content: "And now?" },
    ];
    const { output_text: text } = await openai.responses.create({ model: "viewer", input });
    expect(view(text)).toMatchObject({ message: "And now?", photo: { name: "two.png" } });
    await own.deployAgent("remembers", {
      parametersMetadata: [...viewer.parametersMetadata, { name: "history", type: "String" }],
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.history %}" }], edges: [] },
    });
    const { output_text: history } = await openai.responses.create({ model: "remembers", input });
    expect(history).toBe(
      "user: One\n[file: one.png]\nassistant: A cat.\nuser: Two\n[file: two.png]\nassistant: A dog.",
    );
  });

  test("an image of more than 1 MiB is sent in the body, and a file of the caller's key is read by no other", async () => {
    await own.deployAgent("gallery", {
      ...viewer,
      parametersMetadata: [{ name: "photo", type: "File" }],
    });
    const large = toDataUrl("image/png", Buffer.concat([png, Buffer.alloc(2_500_000)]));
    const { output_text: text } = await openai.responses.create({
      model: "gallery",
      input: [{ role: "user", content: [image(large)] }],
    });
    const { photo } = view(text);
    const path = `/files/${photo?.id}/content?redirect=false`;
    const authorized = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });
    const content = await own.try("GET", path, authorized(openai.apiKey ?? ""));
    expect(content.body).toMatchObject({ url: expect.any(String) });
    const other = await own.mintKey(["agents:execute"]);
    expect((await own.try("GET", path, authorized(other))).status).toBe(404);
    const stolen = {
      type: "input_image" as const,
      file_id: photo?.id ?? "",
      detail: "auto" as const,
    };
    const refused = await caught(
      clientFor(own, other).responses.create({
        model: "gallery",
        input: [{ role: "user", content: [stolen] }],
      }),
    );
    expect(refused).toMatchObject({ status: 400, param: "input[0].content[0]" });
  });

  test.each<[string, (url: string) => object[], string]>([
    [
      "for which the agent has no input left",
      () => [image(toDataUrl("image/png", png)), image(toDataUrl("image/png", png))],
      "input[0].content[1]",
    ],
    [
      "of a type that no input accepts",
      () => [image(toDataUrl("image/png", Buffer.from("PK\x03\x04\0")))],
      "input[0].content[0]",
    ],
    [
      "of another type than its address says",
      (url) => [say("x"), { type: "input_file", file_url: `${url}/a.png` }, image(`${url}/x.pdf`)],
      "input[0].content[2]",
    ],
    [
      "that another input accepts, by its content",
      (url) => [say("x"), image(`${url}/x.pdf`)],
      "input[0].content[1]",
    ],
    ["that is not there", (url) => [image(`${url}/missing`)], "input[0].content[0]"],
    [
      "that is too large",
      () => [image(toDataUrl("image/png", Buffer.concat([png, Buffer.alloc(1_000)])))],
      "input[0].content[0]",
    ],
    [
      "that is not stored",
      () => [{ type: "input_file", file_id: randomUUID() }],
      "input[0].content[0]",
    ],
    [
      "in detail",
      () => [{ ...image(toDataUrl("image/png", png)), detail: "high" }],
      "input[0].content[0].detail",
    ],
  ])("an image %s is refused by the name of its part", async (_, content, param) => {
    const input = [{ role: "user", content: content(server.url) }];
    const error = await caught(openai.post("/responses", { body: { model: "viewer", input } }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ param, code: "validation-failed" });
  });

  test("an agent's file that is missing is asked for by the parameter with the messages", async () => {
    await own.deployAgent("strict", {
      ...viewer,
      parametersMetadata: [
        { name: "message", type: "String" },
        { name: "photo", type: "File", accept: ["image/*"], required: true },
      ],
    });
    const messages = [{ role: "user" as const, content: "Look" }];
    for (const [param, part, call] of [
      ["input", "input_image", () => openai.responses.create({ model: "strict", input: "Look" })],
      [
        "messages",
        "image_url",
        () => openai.chat.completions.create({ model: "strict", messages }),
      ],
    ] as const) {
      const error = await caught(call());
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({
        param,
        code: "validation-failed",
        message: expect.stringMatching(new RegExp(`"photo" of the agent.*image/.*"${part}"`)),
      });
    }
  });

  test("a refused file of a chat completion is named by its part, too", async () => {
    const content = [
      { type: "text", text: "x" },
      { type: "image_url", image_url: { url: `${server.url}/missing.png` } },
    ];
    const body = { model: "viewer", messages: [{ role: "user", content }] };
    const error = await caught(openai.post("/chat/completions", { body }));
    expect(error).toMatchObject({ status: 400, param: "messages[0].content[1]" });
  });
});

describe("errors of the OpenAI package", () => {
  const ask = (body: object) =>
    caught(openai.post("/responses", { body: { model: "helper", input: "x", ...body } }));
  const chat = (body: object) =>
    caught(
      openai.post("/chat/completions", {
        body: { model: "helper", messages: [{ role: "user", content: "x" }], ...body },
      }),
    );

  test.each([
    [{ temperature: 0.2 }, "temperature"],
    [{ tools: [{ type: "function", name: "f", parameters: {} }] }, "tools"],
    [{ max_output_tokens: 0 }, "max_output_tokens"],
    [{ store: false }, "store"],
    [{ noSuchParameter: 1 }, "noSuchParameter"],
    [{ metadata: { a: 1 } }, "metadata.a"],
    [{ text: { verbosity: "low" } }, "text.verbosity"],
    [{ text: { format: { type: "json_object" } } }, "text.format"],
    [{ input: [] }, "input"],
    [{ input: [{ role: "assistant", content: "x" }] }, "input"],
    [{ input: [{ role: "tool", content: "x" }] }, "input[0].role"],
    [{ input: [{ type: "reasoning", summary: [] }] }, "input[0].type"],
    [
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "data:," }] }] },
      "input[0].content[0]",
    ],
    [{ conversation: "c" }, "conversation"],
    [{ previous_response_id: "resp_x", conversation: "c" }, "previous_response_id"],
  ])("a response with %j is refused by the name of the parameter", async (body, param) => {
    const error = await ask(body);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ param, code: "validation-failed", type: "invalid_request" });
  });

  test.each([
    [{ temperature: 0 }, "temperature"],
    [{ max_completion_tokens: 0 }, "max_completion_tokens"],
    [{ functions: [{ name: "f" }] }, "functions"],
    [{ noSuchParameter: 1 }, "noSuchParameter"],
    [{ n: 2 }, "n"],
    [{ stop: ["x"] }, "stop"],
    [{ logit_bias: { 5: 1 } }, "logit_bias"],
    [{ messages: [{ role: "tool", content: "x" }] }, "messages[0].role"],
    [
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] },
      "messages[0].content[0]",
    ],
  ])("a completion with %j is refused by the name of the parameter", async (body, param) => {
    const error = await chat(body);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ param });
  });

  test("parameters that ask for nothing are taken", async () => {
    const nothing = {
      temperature: 1,
      top_p: 1,
      tools: [],
      tool_choice: "auto",
      service_tier: "auto",
    };
    const response = {
      ...nothing,
      store: true,
      truncation: "disabled",
      reasoning: null,
      include: [],
    };
    expect(await ask(response)).toBeUndefined();
    const completion = { ...nothing, n: 1, stop: null, max_tokens: null, logprobs: false };
    expect(await chat(completion)).toBeUndefined();
  });

  test.each([
    "nobody",
    "helper@9",
    "helper@0",
    "helper@",
    "@1",
    "../helper",
    "a b",
    "%00",
    "ö".repeat(300),
  ])("the model %j does not exist", async (model) => {
    const error = await ask({ model });
    expect(error).toBeInstanceOf(NotFoundError);
    const code = "model_not_found";
    expect(error).toMatchObject({ param: "model", type: "not_found", code });
  });

  test("credentials: unknown, revoked, without scope, and a bearer key elsewhere", async () => {
    const unknown = clientFor(own, "wharf_live_nonsense");
    expect(await caught(unknown.models.list())).toBeInstanceOf(AuthenticationError);
    const key = await own.mintKey(["agents:execute"]);
    const client = clientFor(own, key);
    expect(await caught(client.models.list())).toBeUndefined();
    const elsewhere = await own.try("GET", "/agents", {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(elsewhere.status).toBe(401);
    const { body } = await own.send("GET", "/apiKeys?PageSize=200");
    const { items } = body as { items: { id: string; last4: string }[] };
    const id = items.find(({ last4 }) => key.endsWith(last4))?.id;
    await own.send("DELETE", `/apiKeys/${id}`);
    const revoked = await caught(client.responses.create({ model: "helper", input: "x" }));
    expect(revoked).toBeInstanceOf(AuthenticationError);
    const reader = clientFor(own, await own.mintKey(["agents:read"]));
    const error = await caught(reader.responses.create({ model: "helper", input: "x" }));
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error).toMatchObject({ code: "insufficient-scope", param: null });
  });

  test("a missing or unknown key is asked for where the packages send it", async () => {
    for (const apiKey of ["none", "wharf_live_nonsense"]) {
      const refused = await caught(clientFor(own, apiKey).models.list());
      expect(refused).toBeInstanceOf(AuthenticationError);
      expect(refused).toMatchObject({
        code: "unauthenticated",
        message: expect.stringContaining("a valid API key or user token in Authorization: Bearer"),
      });
    }
    const elsewhere = await own.try("GET", "/agents", {
      headers: { Authorization: "Bearer none" },
    });
    expect(elsewhere.body).toMatchObject({
      detail: "Send a valid API key in X-API-KEY or a user token in Authorization: Bearer.",
    });
  });

  test("endpoints that do not exist are errors in OpenAI's format, which name those that do", async () => {
    for (const [request, message] of [
      [
        () => openai.embeddings.create({ model: "helper", input: "x" }),
        "responses, chat/completions",
      ],
      [() => openai.files.list(), "responses, chat/completions"],
    ] as const) {
      const error = await caught(request());
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({
        code: "not-found",
        type: "not_found",
        param: null,
        message: expect.stringContaining(message),
      });
    }
  });

  test("responses of other keys and other tenants do not exist", async () => {
    const { id } = await openai.responses.create({ model: "talk", input: "x" });
    const other = clientFor(own, await own.mintKey(["agents:execute"]));
    const reader = clientFor(own, await own.mintKey(["agents:execute", "executions:read"]));
    expect((await reader.responses.retrieve(id)).id).toBe(id);
    const strangers = await newOrganization();
    const stranger = clientFor(
      strangers,
      await strangers.mintKey(["agents:execute", "executions:read"]),
    );
    await strangers.deployAgent("talk", { ...helper, useSession: true });
    const ids = ["resp_x", "x", `${id}x`, id.replace(/^resp_../, "resp_00"), "a/b", "%00", "ö"];
    const errors = await Promise.all([
      ...[other, stranger].flatMap((client) => [
        caught(client.responses.retrieve(id)),
        caught(client.responses.cancel(id)),
        caught(client.responses.create({ model: "talk", input: "x", previous_response_id: id })),
      ]),
      ...ids.map((wrong) => caught(openai.responses.retrieve(wrong))),
    ]);
    for (const error of errors) expect(error).toBeInstanceOf(NotFoundError);
  });

  test("a failed execution is an error of the model, and a failed response with its error later", async () => {
    const error = await caught(openai.responses.create({ model: "failing", input: "x" }));
    expect(error).toMatchObject({ status: 422, code: "execution-failed", type: "model_error" });
    const Failed = z.object({ error: z.object({ response_id: z.string(), message: z.string() }) });
    const { response_id: id, message } = Failed.parse(error).error;
    const read = await openai.responses.retrieve(id);
    expect(read).toMatchObject({ status: "failed", error: { code: "execution-failed", message } });
  });

  test("a failed execution is an error that clients do not repeat, and a failed response later", {
    tags: "nightly",
  }, async () => {
    const patient = clientFor(own, openai.apiKey ?? "", 2);
    const before = Date.now();
    const error = await caught(patient.responses.create({ model: "failing", input: "x" }));
    expect(error).toMatchObject({ status: 422, code: "execution-failed", type: "model_error" });
    const { items } = (
      await own.send("GET", `/agents/failing/execution-records?startTime=${before}`)
    ).body as { items: unknown[] };
    expect(items).toHaveLength(1);
    const events = await Array.fromAsync(
      await openai.responses.create({ model: "failing", input: "x", stream: true }),
    );
    const last = events.at(-1);
    expect(last).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "execution-failed" } },
    });
    if (last?.type !== "response.failed") throw new Error("not failed");
    expect(await openai.responses.retrieve(last.response.id)).toMatchObject({
      status: "failed",
      error: last.response.error,
    });
    const chunks = await openai.chat.completions.create({
      model: "failing",
      messages: [{ role: "user", content: "x" }],
      stream: true,
    });
    expect(await caught(Array.fromAsync(chunks))).toMatchObject({ code: "execution-failed" });
  });

  test("an agent without a deployed revision is a conflict of the model", async () => {
    await own.send("POST", "/agents", { id: "undeployed", displayName: "Undeployed" });
    for (const more of [{}, { conversation: "c" }]) {
      const error = await ask({ model: "undeployed", ...more });
      expect(error).toBeInstanceOf(ConflictError);
      expect(error).toMatchObject({ param: "model" });
    }
  });
});

describe("requests that hostile or hasty callers send", () => {
  const post = (path: string, raw: string, key = openai.apiKey ?? "") =>
    own.try("POST", `/openai${path}`, {
      raw,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    });

  test("a body that is too large, too deep or no JSON is refused in OpenAI's format", async () => {
    const long = JSON.stringify({ model: "helper", input: "x".repeat(4 * 1_048_576) });
    const deep = `{"model":"helper","input":${"[".repeat(101)}${"]".repeat(101)}}`;
    for (const [raw, status] of [
      [long, 413],
      [deep, 400],
      ["{", 400],
    ] as const) {
      const { body, ...answer } = await post("/responses", raw);
      expect(answer.status).toBe(status);
      expect(body).toMatchObject({ error: { type: "invalid_request", param: null } });
    }
  });

  test("guardrails check instructions and earlier messages as they check inputs", {
    tags: "nightly",
  }, async () => {
    const checks = [
      { id: "block", type: "Pattern", pattern: "forbidden", on: ["input"], action: "block" },
      { id: "mask", type: "Pii", on: ["input"], action: "mask" },
    ];
    await own.send("POST", "/guardrails", { id: "house", displayName: "House", checks });
    await own.deployAgent("guarded", { ...helper, guardrails: ["house"] });
    const ask = (text: string) =>
      openai.responses.create({
        model: "guarded",
        instructions: "Be kind.",
        input: [
          { role: "user", content: text },
          { role: "assistant", content: "ok" },
          { role: "user", content: "now" },
        ],
      });
    expect(await caught(ask("this is forbidden"))).toMatchObject({
      status: 422,
      code: "guardrail-blocked",
    });
    const instructed = openai.responses.create({
      model: "guarded",
      instructions: "forbidden",
      input: "x",
    });
    expect(await caught(instructed)).toMatchObject({ code: "guardrail-blocked" });
    const { id } = await ask("write to ada@example.com");
    const [, hex = ""] = /^resp_(\w{32})_guarded$/.exec(id) ?? [];
    const record = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    const trace = await own.send("GET", `/agents/guarded/execution-records/${record}/trace`);
    expect(trace.text).toContain("Be kind.");
    expect(trace.text).not.toContain("ada@example.com");
  });

  test("an execution continues when its caller leaves the stream, and its response can be read", async () => {
    const stream = await openai.responses.create({ model: "slow", input: "x", stream: true });
    for await (const event of stream) {
      if (event.type !== "response.in_progress") continue;
      stream.controller.abort();
      expect((await openai.responses.retrieve(event.response.id)).status).toBe("in_progress");
      expect((await openai.responses.cancel(event.response.id)).status).toBe("cancelled");
      return;
    }
  });

  test("a repeated Idempotency-Key gets the same response", async () => {
    const options = { idempotencyKey: randomUUID(), headers: { "Idempotency-Key": randomUUID() } };
    const first = await openai.responses.create({ model: "helper", input: "once" }, options);
    const again = await openai.responses.create({ model: "helper", input: "once" }, options);
    expect(again).toEqual(first);
  });

  test("an agent with a history input gets the earlier messages in it, one without a text input JSON", {
    tags: "nightly",
  }, async () => {
    await own.deployAgent("historian", {
      parametersMetadata: [message, { name: "history", type: "Json" }],
      flow: {
        steps: [
          { id: "out", type: "Output", value: "{% input.history[0].text & input.message %}" },
        ],
        edges: [],
      },
    });
    await own.deployAgent("adder", {
      parametersMetadata: [
        { name: "a", type: "Integer", required: true },
        { name: "b", type: "Integer", required: true },
      ],
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.a + input.b %}" }], edges: [] },
    });
    const remembered = await openai.responses.create({
      model: "historian",
      input: [
        { role: "user", content: "one " },
        { role: "assistant", content: "ok" },
        { role: "user", content: "two" },
      ],
    });
    expect(remembered.output_text).toBe("one two");
    const sum = await openai.responses.create({ model: "adder", input: '{"a": 2, "b": 3}' });
    expect(sum.output_text).toBe("5");
    for (const input of ["hello", '{"a": 2}']) {
      const error = await caught(openai.responses.create({ model: "adder", input }));
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ param: expect.stringMatching(/^input/) });
    }
  });
});

/** Reads the data of server-sent events. */
const readData = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));

describe("requests as other clients document them", () => {
  const headers = () => ({
    Authorization: `Bearer ${openai.apiKey}`,
    "Content-Type": "application/json",
  });

  test("Open WebUI lists models when it is connected, and streams with the usage", async () => {
    const listed = await own.try("GET", "/openai/models", { headers: headers() });
    expect(listed.body).toMatchObject({ object: "list", data: expect.any(Array) });
    const body = {
      stream: true,
      model: "helper",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello!" },
        { role: "user", content: "one two" },
      ],
      stream_options: { include_usage: true },
    };
    const streamed = await own.try("POST", "/openai/chat/completions", {
      raw: JSON.stringify(body),
      headers: headers(),
    });
    expect(streamed.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const data = readData(streamed.text);
    expect(data.pop()).toBe("[DONE]");
    const chunks = data.map((line): object => JSON.parse(line));
    expect(chunks[0]).toMatchObject({
      object: "chat.completion.chunk",
      choices: [{ delta: { role: "assistant" } }],
    });
    expect(chunks.slice(1, 3)).toMatchObject([
      { choices: [{ delta: { content: "one" } }] },
      { choices: [{ delta: { content: " two" } }] },
    ]);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: "stop" }], usage: null });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 2 } });
    // Its task of a title, with the model of the chat, limits the tokens of every model but those of Ollama.
    const title = {
      model: "helper",
      messages: [{ role: "user", content: "### Task: a title" }],
      stream: false,
      max_completion_tokens: 1_000,
    };
    const answer = await own.try("POST", "/openai/chat/completions", {
      raw: JSON.stringify(title),
      headers: headers(),
    });
    expect(answer.body).toMatchObject({
      choices: [{ message: { content: "### Task: a title" }, finish_reason: "stop" }],
    });
  });

  test("LangChain's ChatOpenAI for Python invokes and streams", async () => {
    const messages = [
      { content: "You are a helpful assistant that translates English to French.", role: "system" },
      { content: "I love programming.", role: "user" },
    ];
    for (const body of [
      { messages, model: "helper" },
      { messages, model: "helper", stream: false },
      { messages, model: "helper", stream: false, n: 1 },
    ]) {
      const answer = await own.try("POST", "/openai/chat/completions", {
        raw: JSON.stringify(body),
        headers: headers(),
      });
      expect(answer.body).toMatchObject({
        choices: [{ message: { content: "I love programming." } }],
      });
    }
    const streamed = await own.try("POST", "/openai/chat/completions", {
      raw: JSON.stringify({
        messages,
        model: "helper",
        stream: true,
        stream_options: { include_usage: true },
      }),
      headers: headers(),
    });
    expect(readData(streamed.text).at(-1)).toBe("[DONE]");
  });

  /** Headers that the packages of OpenAI's generator send, as recorded. */
  const packageHeaders = (own: Record<string, string>) => ({
    ...headers(),
    Accept: "application/json",
    "Accept-Encoding": "gzip, deflate",
    "X-Stainless-OS": "Linux",
    "X-Stainless-Arch": "x64",
    "X-Stainless-Retry-Count": "0",
    ...own,
  });
  const findDelta = (event: unknown) =>
    z.object({ type: z.literal("response.output_text.delta"), delta: z.string() }).safeParse(event)
      .data?.delta ?? [];

  test("@langchain/openai 1.6.0 for JavaScript invokes and streams by both of its APIs", async () => {
    const sent = packageHeaders({
      "X-Stainless-Lang": "js",
      "X-Stainless-Package-Version": "7.57.0",
      "User-Agent": "langchainjs-openai/1.0.0 ((node/v24.21.0; linux; x64))",
    });
    const post = (path: string, body: object) =>
      own.try("POST", `/openai${path}`, { raw: JSON.stringify(body), headers: sent });
    const model = "helper";
    const content = "I love programming.";
    const chat = [
      { role: "system", content: "Translate." },
      { role: "user", content },
    ];
    const invoked = await post("/chat/completions", {
      model,
      stream: false,
      messages: [{ role: "user", content: "Ada" }],
    });
    expect(invoked.body).toMatchObject({ choices: [{ message: { content: "Ada" } }] });
    const stream_options = { include_usage: true };
    const streaming = { model, stream: true, stream_options, messages: chat };
    const chunks = readData((await post("/chat/completions", streaming)).text);
    expect(chunks.at(-1)).toBe("[DONE]");
    const Chunk = z.object({ choices: z.array(z.object({ delta: z.looseObject({}) })) });
    const texts = chunks
      .slice(0, -1)
      .flatMap((line) => Chunk.parse(JSON.parse(line)).choices)
      .map(({ delta }) => delta.content ?? "");
    expect(texts.join("")).toBe(content);

    const item = (role: string, content: string) => ({ type: "message", role, content });
    const single = { input: [item("user", "Ada")], model, stream: false, text: {} };
    expect((await post("/responses", single)).body).toMatchObject({
      status: "completed",
      output: [{ content: [{ type: "output_text", text: "Ada" }] }],
    });
    const input = chat.map(({ role, content }) => item(role, content));
    const events = readData(
      (await post("/responses", { model, stream: true, text: {}, input })).text,
    );
    expect(events.at(-1)).toBe("[DONE]");
    const deltas = events.slice(0, -1).flatMap((line) => findDelta(JSON.parse(line)));
    expect(deltas.join("")).toBe(content);
  });

  test("the example of the package for Python, as version 3.22.1 sends it, gets the events that it reads", async () => {
    const sent = packageHeaders({
      "X-Stainless-Lang": "python",
      "X-Stainless-Package-Version": "3.22.1",
      "X-Stainless-Runtime": "CPython",
      "X-Stainless-Runtime-Version": "3.11.7",
      "X-Stainless-Async": "false",
      "X-Stainless-Read-Timeout": "600",
      "User-Agent": "OpenAI/Python 3.22.1",
    });
    const raw = '{"input":"Ada Lovelace","model":"helper","stream":true}';
    const answer = await own.try("POST", "/openai/responses", { raw, headers: sent });
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const data = readData(answer.text);
    expect(data.pop()).toBe("[DONE]");
    const Event = z.looseObject({ type: z.string(), sequence_number: z.number() });
    const events = data.map((line) => Event.parse(JSON.parse(line)));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    // The package builds the response from the items, parts and texts as they are announced.
    expect(events).toMatchObject([
      { type: "response.created", response: { status: "in_progress", output: [] } },
      { type: "response.in_progress" },
      { type: "response.output_item.added", output_index: 0, item: { type: "message" } },
      { type: "response.content_part.added", content_index: 0, part: { type: "output_text" } },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Ada" },
      { type: "response.output_text.delta", delta: " Lovelace" },
      { type: "response.output_text.done", text: "Ada Lovelace" },
      { type: "response.content_part.done" },
      { type: "response.output_item.done" },
      { type: "response.completed", response: { status: "completed", model: "helper@1" } },
    ]);
  });

  /** Members that a response must have, as the schema of the compliance program of Open Responses says. */
  const required = [
    ...["id", "object", "created_at", "completed_at", "status", "incomplete_details", "model"],
    ...["previous_response_id", "instructions", "output", "error", "tools", "tool_choice"],
    ...["truncation", "parallel_tool_calls", "text", "top_p", "presence_penalty"],
    ...["frequency_penalty", "top_logprobs", "temperature", "reasoning", "usage"],
    ...["max_output_tokens", "max_tool_calls", "store", "background", "service_tier"],
    ...["metadata", "safety_identifier", "prompt_cache_key"],
  ];
  const item = (role: string, content: unknown) => ({ type: "message", role, content });

  test.each<[string, object[], string]>([
    ["basic-response", [item("user", "Say hello in exactly 3 words.")], "Say hello"],
    [
      "system-prompt",
      [item("system", "You are a pirate."), item("user", "Say hello.")],
      "Say hello.",
    ],
    [
      "multi-turn",
      [
        item("user", "My name is Alice."),
        item("assistant", "Hello Alice! Nice to meet you."),
        item("user", "What is my name?"),
      ],
      "What is my name?",
    ],
  ])("the compliance program of Open Responses: %s", async (_, input, text) => {
    const { body } = await own.try("POST", "/openai/responses", {
      raw: JSON.stringify({ model: "helper", input, stream: false }),
      headers: headers(),
    });
    expect(Object.keys(Object(body))).toEqual(expect.arrayContaining(required));
    expect(body).toMatchObject({
      object: "response",
      status: "completed",
      output: [{ type: "message", content: [{ text: expect.stringContaining(text) }] }],
    });
  });

  test("references to messages of earlier responses stand for their texts, once for each response, and only for who may read them", async () => {
    const asked = (text: string) => openai.responses.create({ model: "history", input: text });
    const first = await asked("one");
    const streamed = openai.responses.stream({ model: "history", input: "two" });
    const second = await streamed.finalResponse();
    const refer = (...ids: string[]) => [
      { role: "user" as const, content: "before" },
      ...ids.map((id) => ({ type: "item_reference" as const, id })),
      { role: "user" as const, content: "after" },
    ];
    const [one = "", two = ""] = [first, second].map(({ output }) => output[0]?.id);
    const input = refer(one, two, two);
    const { output_text } = await openai.responses.create({ model: "history", input });
    expect(JSON.parse(output_text)).toEqual({
      message: "after",
      history: [
        { role: "user", text: "before" },
        { role: "assistant", text: '{"message":"one"}' },
        { role: "assistant", text: '{"message":"two"}' },
      ],
    });
    const many = Array.from({ length: 101 }, () =>
      one.replace(/_[0-9a-f]{32}/, `_${randomUUID().replaceAll("-", "")}`),
    );
    expect(
      await caught(openai.responses.create({ model: "history", input: refer(...many) })),
    ).toMatchObject({ status: 400, param: "input" });
    const other = clientFor(own, await own.mintKey(["agents:execute"]));
    for (const [client, id] of [
      [other, one],
      [openai, "x"],
      [openai, one.replace(/_[0-9a-f]{8}/, "_00000000")],
    ] as const) {
      expect(
        await caught(client.responses.create({ model: "history", input: refer(id) })),
      ).toMatchObject({
        status: 404,
        param: "input[1].id",
        message: expect.stringContaining(`There is no message "${id}".`),
      });
    }
  });

  test("the official provider of the AI SDK holds a conversation of several turns", async () => {
    const provider = createOpenAI({
      baseURL: `${inject("stack").baseUrl}${own.base}/openai`,
      apiKey: openai.apiKey ?? "",
    });
    const model = provider.responses("history");
    const user = (text: string) => ({
      role: "user" as const,
      content: [{ type: "text" as const, text }],
    });
    const { content } = await model.doGenerate({ prompt: [user("one")] });
    const said = content
      .filter((part) => part.type === "text")
      .map(({ text, type, providerMetadata: providerOptions }) => ({
        text,
        type,
        providerOptions,
      }));
    const second = await model.doGenerate({
      prompt: [user("one"), { role: "assistant", content: said }, user("two")],
    });
    expect(second.request?.body).toMatchObject({ input: [{}, { type: "item_reference" }, {}] });
    const answers = second.content.filter((part) => part.type === "text");
    expect(answers.map(({ text }) => JSON.parse(text))).toEqual([
      {
        message: "two",
        history: [
          { role: "user", text: "one" },
          { role: "assistant", text: '{"message":"one"}' },
        ],
      },
    ]);
  });

  test("the compliance program of Open Responses: image-input", async () => {
    const content = [
      { type: "input_text", text: "What do you see in this image? Answer in one sentence." },
      { type: "input_image", image_url: toDataUrl("image/png", png) },
    ];
    const { body } = await own.try("POST", "/openai/responses", {
      raw: JSON.stringify({ model: "viewer", input: [item("user", content)] }),
      headers: headers(),
    });
    expect(Object.keys(Object(body))).toEqual(expect.arrayContaining(required));
    expect(body).toMatchObject({
      status: "completed",
      output: [{ content: [{ text: expect.stringContaining('"mediaType":"image/png"') }] }],
    });
  });

  test("the compliance program of Open Responses: streaming-response; tools of the caller are refused by name, and images that the agent has no input for", async () => {
    const ask = (more: object) =>
      own.try("POST", "/openai/responses", {
        raw: JSON.stringify({ model: "helper", input: [item("user", "Count.")], ...more }),
        headers: headers(),
      });
    const streamed = await ask({ stream: true });
    expect(streamed.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const data = readData(streamed.text);
    expect(data.pop()).toBe("[DONE]");
    const last: unknown = JSON.parse(data.at(-1) ?? "null");
    expect(last).toMatchObject({
      type: "response.completed",
      response: Object.fromEntries(required.map((name) => [name, expect.toSatisfy(() => true)])),
    });
    const tools = [{ type: "function", name: "get_weather", parameters: { type: "object" } }];
    expect((await ask({ tools })).body).toMatchObject({ error: { param: "tools" } });
    const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" };
    const refused = await ask({ input: [item("user", [image])] });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { param: "input[0].content[0]" } },
    ]);
  });
});
