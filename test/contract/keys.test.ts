import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleRowKey, readRowKey } from "../../lib/evaluation/dataset/keys.ts";
import { parseRunKey, resultKey } from "../../lib/evaluation/experiment/keys.ts";
import {
  executionKey,
  executionsLists,
  parseExecutionKey,
} from "../../lib/executions/record/keys.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";

const uuid = fc.uuid({ version: 7 });
const tenantId = uuid.map((id) => TenantId.parse(id));
const chosenId = fc.stringMatching(/^[a-z][a-z0-9-]{0,62}$/);
const number = fc.integer({ min: 1, max: 2 ** 31 - 1 });

test("the key of an execution's record names the execution, and is in one of the partitions of the list", () => {
  const execution = fc.record({ tenantId, agentId: chosenId, executionId: uuid });
  fc.assert(
    fc.property(execution, (ids) => {
      const key = executionKey(ids);
      expect(parseExecutionKey(key)).toEqual(ids);
      const lists = executionsLists(ids.tenantId, ids.agentId);
      expect(lists).toHaveLength(4);
      expect(lists.filter(({ pk }) => pk === key.pk)).toHaveLength(1);
    }),
  );
});

test("the key of a dataset's row names its example, version and split", () => {
  const row = fc.record({
    exampleId: uuid,
    version: number,
    isDeleted: fc.boolean(),
    split: fc.option(fc.string({ minLength: 1 })),
  });
  fc.assert(
    fc.property(tenantId, uuid, row, (tenant, contentId, parts) => {
      expect(readRowKey(exampleRowKey(tenant, contentId, parts))).toEqual(parts);
    }),
  );
});

test("the key of a result names its run, and keys sort by revision, example and repetition", () => {
  const run = fc.record({
    revision: number,
    exampleId: uuid,
    repetition: fc.integer({ min: 1, max: 99 }),
  });
  fc.assert(
    fc.property(tenantId, uuid, run, run, (tenant, experimentId, one, other) => {
      const [first, second] = [one, other].map((run) => resultKey(tenant, experimentId, run).sk);
      expect(parseRunKey({ sk: first ?? "" })).toEqual(one);
      const order = [
        one.revision - other.revision,
        one.exampleId.localeCompare(other.exampleId),
        one.repetition - other.repetition,
      ].find((difference) => difference !== 0);
      expect(Math.sign(order ?? 0)).toBe(
        first === second ? 0 : (first ?? "") < (second ?? "") ? -1 : 1,
      );
    }),
  );
});
