import { Autocomplete, NativeSelect } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import type { Dataset, Example } from "../../../client/openapi.ts";
import type { DatasetSearch } from "./dataset-search.ts";

type ExampleFiltersProps = {
  dataset: Dataset;
  search: DatasetSearch;
  /** Loaded examples; their splits are the options of the filter. */
  examples: readonly Example[];
  onChange: (search: DatasetSearch) => void;
};

/** Earlier versions that are offered; others can be named in the address. */
const mostVersions = 100;
const typingMilliseconds = 400;

const listVersions = ({ version: newest }: Dataset, shown: number | undefined): number[] => {
  const offered = Array.from(
    { length: Math.min(newest, mostVersions) },
    (_, at) => newest - 1 - at,
  );
  const isOffered = shown === undefined || shown >= newest || offered.includes(shown);
  return isOffered ? offered : [...offered, shown];
};

/** Chooses the version and the split of examples. */
export const ExampleFilters = ({ dataset, search, examples, onChange }: ExampleFiltersProps) => {
  const { version, split } = search;
  const [typed, setTyped] = useState(split ?? "");
  const apply = useDebouncedCallback((text: string) => {
    const { split: _, ...others } = search;
    onChange({ ...others, ...(text !== "" && { split: text }) });
  }, typingMilliseconds);
  const splits = [...new Set(examples.flatMap((example) => example.split ?? []))].sort();
  return (
    <>
      <NativeSelect
        label="Version"
        value={version === undefined || version >= dataset.version ? "" : String(version)}
        data={[
          { value: "", label: `${dataset.version} (newest)` },
          ...listVersions(dataset, version).map(String),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...(split !== undefined && { split }),
            ...(value !== "" && { version: Number(value) }),
          })
        }
      />
      <Autocomplete
        label="Split"
        placeholder="all"
        data={splits}
        value={typed}
        onChange={(text) => {
          setTyped(text);
          apply(text);
        }}
      />
    </>
  );
};
