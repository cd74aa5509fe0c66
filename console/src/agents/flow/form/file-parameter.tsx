import { Checkbox, TagsInput } from "@mantine/core";
import { type Members, textsIn, withMember } from "../../../flow-graph/members.ts";
import { NumberMember } from "./text-fields.tsx";

type FileParameterProps = {
  /** Such as `input 1`. */
  name: string;
  item: Members;
  onChange: (item: Members) => void;
  errorAt: (pointer: string) => string | undefined;
};

const common = ["image/*", "audio/*", "application/pdf", "text/*", "text/csv", "application/json"];

/** Members of a parameter of the type File: which files it accepts. */
export const FileParameter = ({ name, item, onChange, errorAt }: FileParameterProps) => {
  const accept = textsIn(item.accept);
  const set = (member: string, value: unknown): void => onChange(withMember(item, member, value));
  return (
    <>
      <TagsInput
        label={`Media types of ${name}`}
        description="Such as image/*. Without types, all are accepted."
        mt={6}
        comboboxProps={{ keepMounted: false }}
        data={common}
        value={accept}
        onChange={(types) => set("accept", types.length === 0 ? undefined : types)}
        error={errorAt("/accept")}
      />
      <NumberMember
        label={`Max bytes of ${name}`}
        placeholder="67108864"
        value={item.maxBytes}
        onChange={(bytes) => set("maxBytes", bytes)}
        error={errorAt("/maxBytes")}
      />
      <Checkbox
        size="xs"
        mt={6}
        label={`Several files for ${name}`}
        checked={item.multiple === true}
        onChange={({ currentTarget: { checked } }) => set("multiple", checked || undefined)}
      />
    </>
  );
};

/** Returns a parameter of another type, without what only files have. */
export const withType = (item: Members, type: string | undefined): Members => {
  const { accept, maxBytes, multiple, ...others } = item;
  return type === "File" ? { ...item, type } : { ...others, type };
};
