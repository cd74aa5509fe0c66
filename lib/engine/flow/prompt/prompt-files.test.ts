import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  agentsWith,
  ask,
  calls,
  compiled,
  depsWithModel,
  filesWith,
  flowOptions,
  resultsIn,
  run,
  scripted,
  type TestFile,
  textResult,
  toFlowFile,
  toolsWith,
} from "../../../../test/harness/flow.ts";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { type ByteRoom, createByteRoom } from "../../../platform/runtime/byte-room.ts";
import type { Json } from "../../../values/json/json.ts";
import type { FlowFile } from "../../flow-file.ts";
import { createGuard } from "../../guardrails/guard.ts";
import type { FilePart, GenerateRequest, ModelMessage } from "../../models/model.ts";
import { checkFlow, compileFlow } from "../compile-flow.ts";
import type { FlowOptions } from "../flow-result.ts";
import { maxFileTextBytes } from "./file-parts.ts";
import { maxPromptFileBytes, withNewestFiles } from "./prompt-files.ts";

const photo: TestFile = {
  id: "f1",
  name: "photo.png",
  mediaType: "image/png",
  content: "not really a picture",
};
const notes: TestFile = { id: "f2", name: "notes.md", mediaType: "text/markdown", content: "# Hi" };
const letter: TestFile = {
  id: "f3",
  name: "letter.pdf",
  mediaType: "application/pdf",
  content: "%PDF-1.7",
  text: "Dear reader",
};
const archive: TestFile = {
  id: "f4",
  name: "all.zip",
  mediaType: "application/zip",
  content: "PK",
};

const echo = (files: readonly string[], more: object = {}) => ({
  id: "ask",
  type: "Prompt",
  prompt: "Look",
  files,
  llm: { providerId: "echo" },
  ...more,
});

const depsWith = (...files: readonly TestFile[]): FlowOptions["deps"] => ({
  ...flowOptions().deps,
  files: filesWith(...files).files,
});

/** Returns an input with the references of files by name. */
const toInput = (files: Readonly<Record<string, TestFile | readonly TestFile[]>>) => ({
  input: Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name,
      "id" in file ? toFlowFile(file) : file.map(toFlowFile),
    ]),
  ),
});

const partsIn = (request: GenerateRequest | undefined): readonly FilePart[] => [
  ...(request?.fileParts?.values() ?? []),
];

describe("files of a Prompt", () => {
  test("reach the model; a span has their references and never their content", async () => {
    const result = await run([echo(["{% input.photo %}", "{% input.notes %}"])], [], {
      ...toInput({ photo, notes }),
      deps: depsWith(photo, notes),
    });
    expect(result.output).toBe(
      'Look\n[photo.png image/png 20 bytes]\nThe file "notes.md" (text/markdown):\n# Hi\n[End of the file.]',
    );
    const [span] = result.spans;
    expect(span?.input).toEqual({
      prompt: "Look",
      files: [toFlowFile(photo), toFlowFile(notes)],
    });
    expect(JSON.stringify(result.spans)).not.toContain("not really a picture");
  });

  test("may be an array, without duplicates; nothing is skipped", async () => {
    const expressions = ["{% input.all %}", "{% input.photo %}", "{% input.none %}", "{% null %}"];
    const result = await run([echo(expressions)], [], {
      input: { ...toInput({ all: [photo, letter], photo }).input, none: "" },
      deps: depsWith(photo, letter),
    });
    expect(result.output).toBe(
      "Look\n[photo.png image/png 20 bytes]\n[letter.pdf application/pdf 8 bytes]",
    );
  });

  test.each<[string, unknown, string]>([
    ["a text", "f1", "files[0] must select a file"],
    ["a number", 7, "a value of type number"],
    ["an object without an id", { name: "photo.png" }, "a value of type object"],
    ["an array in an array", [[]], "an array in an array"],
    ["an unknown file", { id: "other" }, 'files[0]: "other" is not a file of this execution.'],
  ])("fail the step for %s", async (_name, value, detail) => {
    const result = await run([echo(["{% input.value %}"])], [], {
      input: { value: JSON.parse(JSON.stringify(value)) },
      deps: depsWith(photo),
    });
    expect(result.error).toMatchObject({ slug: "execution-failed", step: "ask" });
    expect(result.error?.detail).toContain(detail);
  });

  test("fail the step where an execution has no files", async () => {
    const result = await run([echo(["{% input.photo %}"])], [], toInput({ photo }));
    expect(result.error?.detail).toBe("There are no files here.");
  });

  test("are at most 20, with 20 MB in all", async () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ ...photo, id: `p${at}` }));
    const tooMany = await run([echo(["{% input.many %}"])], [], {
      ...toInput({ many }),
      deps: depsWith(...many),
    });
    expect(tooMany.error?.detail).toContain("more than 20 files");
    const large: FlowFile = { ...toFlowFile(photo), bytes: maxPromptFileBytes + 1 };
    const base = depsWith(photo);
    const files = base.files && { ...base.files, find: async () => large };
    const tooLarge = await run([echo(["{% input.photo %}"])], [], {
      ...toInput({ photo }),
      deps: { ...base, ...(files && { files }) },
    });
    expect(tooLarge.error?.detail).toContain("at most 20 MB");
  });

  test("must be expressions, which creation of a revision checks", async () => {
    expect(compileFlow({ steps: [echo(["photo.png"])] })).toMatchObject({
      ok: false,
      errors: [{ pointer: "/steps/0/files/0" }],
    });
    const broken = { steps: [echo(["{% input.( %}"])] };
    expect(await checkFlow(broken, {}, testProcessor(30_000))).toMatchObject({
      ok: false,
      errors: [{ pointer: "/steps/0/files/0" }],
    });
  });

  test("of items of a ForEach reach separate calls", async () => {
    const forAll = {
      id: "all",
      type: "ForEach",
      items: "{% input.all %}",
      step: { ...echo(["{% item %}"]), prompt: "Look at {% item.name %}" },
    };
    const result = await run([forAll], [], {
      ...toInput({ all: [photo, letter] }),
      deps: depsWith(photo, letter),
    });
    expect(result.output).toEqual([
      "Look at photo.png\n[photo.png image/png 20 bytes]",
      "Look at letter.pdf\n[letter.pdf application/pdf 8 bytes]",
    ]);
  });
});

describe("a model", () => {
  const takesNothing = () => "no" as const;

  const askWith = async (
    file: TestFile,
    provider: object,
    more: Partial<FlowOptions> & { id?: string } = {},
  ) => {
    const { requests, generate } = scripted(textResult("fine"));
    const { files, read } = filesWith(file);
    const base = depsWithModel(generate, { files });
    const resolve = async (id: string) => {
      const known = await base.models.resolve(id);
      return known && { ...known, ...provider };
    };
    const result = await run([ask({ files: ["{% input.file %}"] })], [], {
      ...toInput({ file }),
      deps: { ...base, models: { resolve } },
      ...more,
    });
    return { result, requests, read };
  };

  test("gets references in its messages, and the content apart from them", async () => {
    const { requests } = await askWith(photo, {});
    expect(requests[0]?.messages).toEqual([
      { role: "user", text: "go", files: [toFlowFile(photo)] },
    ]);
    expect(partsIn(requests[0])).toMatchObject([{ type: "media", mediaType: "image/png" }]);
  });

  test("that is known not to take a kind is not called: the step names file, type and model", async () => {
    const { result, requests, read } = await askWith(photo, { takes: takesNothing });
    expect(result.error).toMatchObject({
      slug: "execution-failed",
      detail: 'The file "photo.png" (image/png) is of a type that the model test/m1 does not take.',
    });
    expect(requests).toEqual([]);
    expect(read).toEqual([]);
  });

  test.each([
    ["reads no PDF", { takes: takesNothing }],
    ["is unknown", {}],
  ])("that %s gets the text of one", async (_name, provider) => {
    const { requests } = await askWith(letter, provider);
    expect(partsIn(requests[0])).toEqual([
      {
        type: "text",
        text: 'The file "letter.pdf" (application/pdf):\nDear reader\n[End of the file.]',
      },
    ]);
  });

  test("that reads PDF files gets them as they are", async () => {
    const { requests } = await askWith(letter, { takes: () => "yes" });
    expect(partsIn(requests[0])).toMatchObject([{ type: "media", mediaType: "application/pdf" }]);
  });

  test("is not called for a document without text", async () => {
    const { result, requests } = await askWith(archive, {});
    expect(result.error?.detail).toBe(
      'The file "all.zip" (application/zip) is of a type that the model test/m1 does not take. The file "all.zip" (application/zip) has no text.',
    );
    expect(requests).toEqual([]);
  });

  test("gets the text of a file that is not UTF-8 as its document's", async () => {
    const latin = { ...notes, content: Buffer.from([0xe9]), text: "é" };
    const { requests } = await askWith(latin, {});
    expect(partsIn(requests[0])).toMatchObject([{ text: expect.stringContaining("\né\n") }]);
  });

  test("gets the beginning of a long text, and a note", async () => {
    const long = { ...notes, content: "é".repeat(maxFileTextBytes) };
    const { requests } = await askWith(long, {});
    const [part] = partsIn(requests[0]);
    const text = part?.type === "text" ? part.text : "";
    expect(Buffer.byteLength(text)).toBeLessThan(maxFileTextBytes + 200);
    expect(text).toContain("[Cut: these are the first 400000 of 800000 bytes.]");
  });

  test("gets texts of files as guardrails of retrieval leave them", async () => {
    const check = {
      id: "pii",
      type: "Pii" as const,
      kinds: ["Email" as const],
      on: ["retrieval" as const],
      action: "mask" as const,
    };
    const deps = { processor: testProcessor(30_000), clock: () => 0 };
    const guard = createGuard(deps, [{ id: "g", revision: 1, checks: [check] }]);
    const secret = { ...notes, content: "Write to ann@example.com" };
    const { requests } = await askWith(secret, {}, { ...(guard && { guard }) });
    const [part] = partsIn(requests[0]);
    expect(part).toMatchObject({ text: expect.not.stringContaining("ann@example.com") });
  });

  test("gets files in later turns, which are read once", async () => {
    const { requests, generate } = scripted(
      calls(["calculate", { expression: "1" }]),
      textResult("fine"),
    );
    const { files, read } = filesWith(photo);
    const step = ask({ files: ["{% input.photo %}"], tools: ["calculate"] });
    await run([step], [], { ...toInput({ photo }), deps: depsWithModel(generate, { files }) });
    expect(requests.map(partsIn)).toMatchObject([[{ type: "media" }], [{ type: "media" }]]);
    expect(read).toEqual(["f1"]);
  });
});

describe("the memory for files of Prompts", () => {
  const pages = ["a", "b", "c"].map((id): TestFile => ({ ...photo, id, content: "x".repeat(600) }));

  /** Shows three files to a model at the same time, and returns how many it had at most. */
  const showPages = async (roomBytes: number) => {
    let [open, most] = [0, 0];
    const { files, read } = filesWith(...pages);
    const deps = depsWithModel(
      async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return textResult("fine");
      },
      { files: { ...files, room: createByteRoom(roomBytes) } },
    );
    const { id: _, ...step } = ask({ files: ["{% item %}"] });
    const all = { id: "all", type: "ForEach", items: "{% input.pages %}", concurrency: 3, step };
    const result = await run([all], [], { ...toInput({ pages }), deps });
    expect(result.output).toEqual(["fine", "fine", "fine"]);
    expect(read.toSorted()).toEqual(["a", "b", "c"]);
    return most;
  };

  test("has as many of them at the same time as fit", async () => {
    expect(await showPages(10_000)).toBe(3);
    expect(await showPages(1_300)).toBe(2);
    expect(await showPages(1_000)).toBe(1);
    expect(await showPages(1)).toBe(1);
  });

  test("is free while a Prompt's tools run, so that a Prompt of a sub-agent cannot wait for its caller", async () => {
    const { files, read } = filesWith(photo);
    const room = createByteRoom(20);
    const work = async () => "seen";
    const tools = toolsWith(() =>
      room.open(20, () => undefined).use(AbortSignal.timeout(60_000), work),
    );
    const { requests, generate } = scripted(calls(["tool", {}]), textResult("fine"));
    const step = ask({
      files: ["{% input.photo %}"],
      tools: [{ integrationId: "test", toolId: "tool" }],
    });
    const deps = depsWithModel(generate, { tools, files: { ...files, room } });
    const result = await run([step], [], { ...toInput({ photo }), deps });
    expect(result.output).toBe("fine");
    expect(requests.map(partsIn)).toMatchObject([[{ type: "media" }], [{ type: "media" }]]);
    expect(read).toEqual(["f1", "f1"]);
  });

  test("is waited for no longer than the step may take, and is free after a Prompt that failed", async () => {
    const { files } = filesWith(photo);
    const room = createByteRoom(20);
    const closed: string[] = [];
    const noted: ByteRoom = {
      open: (...content) => {
        const place = room.open(...content);
        const close = () => {
          closed.push("closed");
          place.close();
        };
        return { ...place, close };
      },
    };
    const { requests, generate } = scripted(textResult("fine"));
    const sleep = (ms: number, signal: AbortSignal) =>
      new Promise<void>((done) => {
        if (ms === 7_000) setImmediate(done);
        else signal.addEventListener("abort", () => done());
      });
    const deps = depsWithModel(generate, { files: { ...files, room: noted } });
    const step = ask({ files: ["{% input.photo %}"], timeoutSeconds: 7 });
    const left = Promise.withResolvers<void>();
    const other = room
      .open(20, () => undefined)
      .use(AbortSignal.timeout(60_000), () => left.promise);
    const result = await run([step], [], { ...toInput({ photo }), deps: { ...deps, sleep } });
    expect(result.error).toMatchObject({ slug: "upstream-timeout", step: "ask" });
    expect(requests).toEqual([]);
    left.resolve();
    await other;
    expect((await run([step], [], { ...toInput({ photo }), deps })).output).toBe("fine");
    expect(closed).toEqual(["closed", "closed"]);
  });
});

describe("files of earlier turns", () => {
  const earlier = (...files: readonly TestFile[]): readonly ModelMessage[] => [
    { role: "user", text: "Before", files: files.map(toFlowFile) },
    { role: "assistant", text: "Yes", toolCalls: [] },
  ];

  const askAfter = async (messages: readonly ModelMessage[], files: readonly TestFile[]) => {
    const { requests, generate } = scripted(textResult("fine"));
    const session = { recall: async () => messages };
    const deps = depsWithModel(generate, { files: filesWith(...files).files });
    const step = ask({ files: ["{% input.photo %}"] });
    const outcomes: unknown[] = [];
    const onStepCompleted = async ({ exchange }: { exchange?: unknown }) =>
      void outcomes.push(exchange);
    const result = await run([step], [], {
      ...toInput({ photo }),
      deps,
      session,
      onStepCompleted,
    });
    return { result, requests, outcomes };
  };

  test("are sent again; the exchange has references of the turn's own", async () => {
    const { requests, outcomes } = await askAfter(earlier(letter), [photo, letter]);
    expect([...(requests[0]?.fileParts?.keys() ?? [])].toSorted()).toEqual(["f1", "f3"]);
    expect(outcomes).toEqual([
      [
        { role: "user", text: "go", files: [toFlowFile(photo)] },
        { role: "assistant", text: "fine", toolCalls: [] },
      ],
    ]);
  });

  test("that are no longer kept are notes to the model", async () => {
    const { result, requests } = await askAfter(earlier({ ...photo, id: "old" }), [photo]);
    expect(result.status).toBe("Succeeded");
    expect(requests[0]?.fileParts?.get("old")).toEqual({
      type: "text",
      text: '[The file "photo.png" (image/png) is no longer kept. It is of an earlier turn.]',
    });
  });

  test("are named in the text that a model summarizes", async () => {
    const { requests, generate } = scripted(textResult("A summary"), textResult("fine"));
    const session = {
      recall: async (summarize: (messages: readonly ModelMessage[]) => Promise<string>) => [
        { role: "user" as const, text: await summarize(earlier(letter)) },
      ],
    };
    await run([ask()], [], {
      deps: depsWithModel(generate, { files: filesWith(letter).files }),
      session,
    });
    expect(requests[0]?.messages).toEqual([
      {
        role: "user",
        text: 'user: Before\n[The file "letter.pdf" (application/pdf)]\n\nassistant: Yes',
      },
    ]);
  });

  test("that a model does not take are notes to it", async () => {
    const { requests, generate } = scripted(textResult("fine"));
    const base = depsWithModel(generate, { files: filesWith(photo).files });
    const resolve = async (id: string) => {
      const known = await base.models.resolve(id);
      return known && { ...known, takes: () => "no" as const };
    };
    const session = { recall: async () => earlier(photo) };
    const result = await run([ask()], [], { deps: { ...base, models: { resolve } }, session });
    expect(result.status).toBe("Succeeded");
    expect(requests[0]?.fileParts?.get("f1")).toMatchObject({
      text: expect.stringContaining("the model test/m1 does not take. It is of an earlier turn.]"),
    });
  });

  test("that the Prompt names itself must be kept", async () => {
    const base = filesWith(photo).files;
    const gone = { ...base, read: async () => undefined };
    const { requests, generate } = scripted(textResult("fine"));
    const result = await run([ask({ files: ["{% input.photo %}"] })], [], {
      ...toInput({ photo }),
      deps: depsWithModel(generate, { files: gone }),
    });
    expect(result.error?.detail).toBe('The file "photo.png" (image/png) is no longer kept.');
    expect(requests).toEqual([]);
  });

  test("keep to the limits of a Prompt; others are notes, and no file is lost", () => {
    const size = fc.integer({ min: 0, max: maxPromptFileBytes });
    const sizes = fc.array(fc.array(size, { minLength: 1, maxLength: 8 }), { maxLength: 8 });
    fc.assert(
      fc.property(sizes, fc.array(size, { maxLength: 3 }), (turns, own) => {
        const toFiles = (bytes: readonly number[], turn: number | string) =>
          bytes.map((count, at) => ({ ...toFlowFile(photo), id: `${turn}.${at}`, bytes: count }));
        const messages: ModelMessage[] = turns.map((bytes, turn) => ({
          role: "user",
          text: "x",
          files: toFiles(bytes, turn),
        }));
        const limited = withNewestFiles(messages, toFiles(own, "own"));
        const sent = limited.flatMap((one) => (one.role === "user" ? (one.files ?? []) : []));
        const notes = limited.flatMap((one) =>
          one.role === "user" ? one.text.split("\n").slice(1) : [],
        );
        expect(sent.length + notes.length).toBe(turns.flat().length);
        const total = sent.reduce((sum, { bytes }) => sum + bytes, 0);
        expect(sent.length).toBeLessThanOrEqual(20);
        expect(total).toBeLessThanOrEqual(maxPromptFileBytes);
      }),
    );
  });
});

describe("a file that a tool made", () => {
  const tools = toolsWith(async (_parameters, { saveFile }): Promise<Json> => {
    if (!saveFile) return { base64: "AAAA" };
    const saved = await saveFile({
      name: "chart.png",
      mediaType: "image/png",
      content: Buffer.from("chart"),
    });
    return { ...saved };
  });
  const draw = { id: "draw", type: "Tool", integrationId: "test", toolId: "tool" };

  test("is the output of its step, and a file of a later Prompt", async () => {
    const { files } = filesWith();
    const step = { ...echo(["{% steps.draw.output %}"]), prompt: "Read" };
    const deps = { ...flowOptions().deps, tools, files };
    const result = await run([draw, step], ["draw>ask"], { deps });
    expect(result.output).toBe("Read\n[chart.png image/png 5 bytes]");
    expect(result.spans[0]?.output).toEqual({
      id: "saved-1",
      name: "chart.png",
      mediaType: "image/png",
      bytes: 5,
    });
  });

  test("is a reference in the result that a model gets", async () => {
    const { requests, generate } = scripted(calls(["tool", {}]), textResult("fine"));
    const { files } = filesWith();
    const step = ask({ tools: [{ integrationId: "test", toolId: "tool" }] });
    await run([step], [], { deps: depsWithModel(generate, { tools, files }) });
    expect(resultsIn(requests[1])).toMatchObject([
      { output: { id: "saved-1", name: "chart.png", mediaType: "image/png" } },
    ]);
  });

  test("is none where an execution has no files", async () => {
    const result = await run([draw], [], { deps: { ...flowOptions().deps, tools } });
    expect(result.spans[0]?.output).toEqual({ base64: "AAAA" });
  });
});

describe("references of files", () => {
  test("reach a sub-agent as JSON", async () => {
    const inputs: unknown[] = [];
    const agents = agentsWith(async ({ input }) => {
      inputs.push(input);
      return "seen";
    });
    const step = {
      id: "sub",
      type: "SubAgent",
      agentId: "viewer",
      input: { file: "{% input.photo %}" },
    };
    const deps = { ...depsWith(photo), agents };
    const result = await run([step], [], { ...toInput({ photo }), deps });
    expect(result.status).toBe("Succeeded");
    expect(inputs).toEqual([{ file: toFlowFile(photo) }]);
  });

  test("have no effect on whether a step calls another system", () => {
    const { steps } = compiled([
      echo(["{% input.photo %}"], { id: "other" }),
      ask({ files: ["{% input.photo %}"] }),
    ]);
    expect(steps.map(({ callsOut }) => callsOut(undefined))).toEqual([false, true]);
  });
});
