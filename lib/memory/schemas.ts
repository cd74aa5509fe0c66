import * as z from "zod";
import { Timestamp, Uuid } from "../platform/http/ids.ts";
import { pageSchema } from "../platform/http/paging.ts";
import { readMemoryId } from "./keys.ts";

/** A name that separates memories of an agent. */
export const MemoryNamespace = z
  .string()
  .min(1)
  .max(128)
  .meta({ description: "A namespace of the agent's memories.", example: "user-42" });

/** Id of a fact. */
export const MemoryId = z
  .string()
  .refine((id) => readMemoryId(id) !== undefined, "must be the id of a memory")
  .meta({
    description: "Id of a memory.",
    example: "9b1c1b0b6a8f4f6e8d0c2a4e6f8a0b1c-0193f0a0-7c4b-7000-8000-000000000000",
  });

/** A fact that an agent remembers, in API responses. */
export const Memory = z
  .object({
    id: MemoryId,
    namespace: MemoryNamespace,
    text: z.string().meta({ example: "Ada prefers tea." }),
    executionId: Uuid.meta({ description: "The execution that it was taken from." }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: "Memory" });
export type Memory = z.output<typeof Memory>;

/** A page of facts, newest first. */
export const MemoryPage = pageSchema(Memory, "MemoryPage");
