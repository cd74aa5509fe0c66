import * as z from "zod";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { acceptLines } from "../../platform/http/json-lines.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";
import { maxExamplesPerRequest, maxExecutionsPerRequest } from "./limits.ts";

const displayName = z.string().min(1).max(256);
const description = z.string().max(4_096);
const inputSchema = z.record(z.string(), z.unknown()).meta({
  description: "JSON Schema that the input of each new example must match; null for any input.",
});

/** A versioned collection of examples. */
export const Dataset = z
  .object({
    id: ChosenId,
    displayName,
    description: description.nullable(),
    inputSchema: inputSchema.nullable(),
    version: z.int().meta({
      description: "The newest version of the examples; 0 before the first change.",
    }),
    exampleCount: z.int().meta({ description: "Examples of the newest version." }),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({
    id: "Dataset",
    example: {
      id: "support",
      displayName: "Support questions",
      description: null,
      inputSchema: { type: "object", required: ["name"] },
      version: 2,
      exampleCount: 10,
      createdAt: 1763596800000,
      modifiedAt: 1763596800000,
    },
  });
export type Dataset = z.output<typeof Dataset>;

/** A page of datasets, by id. */
export const DatasetPage = pageSchema(Dataset, "DatasetPage");

/** Request to create a dataset. */
export const CreateDatasetBody = z
  .object({
    id: ChosenId.nullish().meta({ description: "Default: a new UUID." }),
    displayName,
    description: description.nullish(),
    inputSchema: inputSchema.nullish(),
  })
  .meta({
    id: "CreateDatasetBody",
    example: {
      id: "support",
      displayName: "Support questions",
      inputSchema: { type: "object", required: ["name"] },
    },
  });
export type CreateDatasetBody = z.output<typeof CreateDatasetBody>;

/** Request to change a dataset; members that are absent stay. */
export const UpdateDatasetBody = z
  .object({
    displayName: displayName.optional(),
    description: description.nullish(),
    inputSchema: inputSchema.nullish().meta({
      description: "Applies to examples that are added from now on; null for any input.",
    }),
  })
  .meta({ id: "UpdateDatasetBody", example: { displayName: "Questions" } });
export type UpdateDatasetBody = z.output<typeof UpdateDatasetBody>;

/** A named part of a dataset, such as `train` or `test`. */
export const Split = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "Part of the dataset that the example belongs to.", example: "test" });

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** Any JSON value but null. */
const Input = z.custom<unknown>(isPresent, { error: "is required" }).meta({
  description: "Input of the agent: an object with its named inputs.",
  override: {},
});
const Expected = z.unknown().meta({ description: "Expected output: any JSON value." });
const Metadata = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ description: "Any JSON object; scorers do not use it." });

/** An example: an input, and what an agent is expected to return for it. */
export const Example = z
  .object({
    id: ChosenId,
    input: Input,
    expected: Expected,
    metadata: Metadata,
    split: Split.nullable(),
  })
  .meta({
    id: "Example",
    example: {
      id: "0193f0a0-7c4b-7000-8000-000000000000",
      input: { name: "Ada" },
      expected: "Hello, Ada!",
      metadata: null,
      split: "test",
    },
  });
export type Example = z.output<typeof Example>;

/** A page of the examples of a version, by id. */
export const ExamplePage = pageSchema(Example, "ExamplePage");

/** An example as it is sent. */
export const SentExample = refuseUnknown(
  z
    .object({
      id: ChosenId.nullish().meta({
        description:
          "Default: a new UUID; examples with such ids are listed in the order in which they were added. An example with this id is replaced.",
      }),
      input: Input,
      expected: Expected.optional(),
      metadata: Metadata.optional(),
      split: Split.nullish(),
    })
    .meta({ id: "SentExample" }),
);
export type SentExample = z.output<typeof SentExample>;

/** Request to add or replace examples. */
export const AddExamplesBody = acceptLines(
  z.object({ items: z.array(SentExample).min(1).max(maxExamplesPerRequest) }).meta({
    id: "AddExamplesBody",
    example: { items: [{ input: { name: "Ada" }, expected: "Hello, Ada!", split: "test" }] },
  }),
);

/** Response to added examples. */
export const AddedExamples = z
  .object({
    version: z.int().meta({
      description: "Version with the examples; the one before if nothing differed from it.",
    }),
    exampleCount: z.int().meta({ description: "Examples of that version." }),
    ids: z.array(ChosenId).meta({ description: "Ids of the examples, in the order sent." }),
  })
  .meta({ id: "AddedExamples" });
export type AddedExamples = z.output<typeof AddedExamples>;

/** Request to add examples made from executions. */
export const AddFromExecutionsBody = z
  .object({
    agentId: ChosenId,
    executionIds: z.array(Uuid).min(1).max(maxExecutionsPerRequest),
  })
  .meta({
    id: "AddFromExecutionsBody",
    example: { agentId: "hello", executionIds: ["0193f0a0-7c4b-7000-8000-000000000000"] },
  });
export type AddFromExecutionsBody = z.output<typeof AddFromExecutionsBody>;
