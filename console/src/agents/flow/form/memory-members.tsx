import { Checkbox, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import { isRecord, textIn, withMember } from "../../../flow-graph/members.ts";
import type { StepForm } from "./step-form.ts";
import { monospace, NumberMember } from "./text-fields.tsx";

/** Fields of the memory of a Prompt: what it remembers between executions, in a namespace. */
export const MemoryMembers = ({ form }: { form: StepForm }) => {
  const { memory } = form.step;
  const own = isRecord(memory) ? memory : undefined;
  const set = (name: string, value: unknown): void =>
    form.set("memory", withMember(own ?? {}, name, value));
  // The value of an absent member is true.
  const setFlag = (name: string, isSet: boolean): void => set(name, isSet ? undefined : false);
  return (
    <Fieldset legend="Memory" p="sm">
      <Stack gap="sm">
        <Checkbox
          label="Remember facts between executions"
          checked={own !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            form.set("memory", checked ? { namespace: "" } : undefined)
          }
          error={form.problems.find(({ pointer }) => pointer === "/memory")?.detail}
        />
        {own && (
          <>
            <TextInput
              label="Namespace"
              description="Separates facts, for example by user: 1 to 128 characters, with {% %} expressions. It selects the facts that are read: use a value that your server has verified."
              placeholder="{% input.userId %}"
              styles={monospace}
              value={textIn(own.namespace)}
              onChange={({ currentTarget }) => set("namespace", currentTarget.value)}
              error={form.errorAt("/memory/namespace")}
            />
            <Group grow align="flex-start">
              <Checkbox
                label="Read facts"
                description="The model receives the most similar facts."
                checked={own.read !== false}
                onChange={({ currentTarget }) => setFlag("read", currentTarget.checked)}
                error={form.errorAt("/memory/read")}
              />
              <Checkbox
                label="Store facts"
                description="Extracted from each turn in the background. Tests store none."
                checked={own.write !== false}
                onChange={({ currentTarget }) => setFlag("write", currentTarget.checked)}
                error={form.errorAt("/memory/write")}
              />
            </Group>
            <NumberMember
              label="Max facts"
              description="Facts that the model receives, 1 to 20."
              placeholder="5"
              value={own.topK}
              onChange={(value) => set("topK", value)}
              error={form.errorAt("/memory/topK")}
            />
            {own.read === false && own.write === false && (
              <Text size="sm" c="dimmed">
                No facts are read or stored.
              </Text>
            )}
          </>
        )}
      </Stack>
    </Fieldset>
  );
};
