import { Button, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Asset, SearchAssetsBody } from "../../../client/openapi.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { fieldError } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import type { AssetSearch } from "./asset-search.ts";
import { SearchResults } from "./search-results.tsx";
import { useSearch } from "./use-search.ts";

const route = getRouteApi("/t/$tenant/knowledge/assets/$asset");
const pointers = ["/query", "/topK", "/filter/documentName"] as const;

const buildBody = (asset: string, search: AssetSearch): SearchAssetsBody | undefined => {
  const { query, topK, document } = search;
  if (query === undefined) return undefined;
  return {
    query,
    assetIds: [asset],
    ...(topK !== undefined && { topK }),
    ...(document !== undefined && { filter: { documentName: document } }),
  };
};

/** Tries a search in an asset, as agents make it; the address has the search. */
export const SearchTab = ({ asset }: { asset: Asset }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [query, setQuery] = useState(search.query ?? "");
  const [topK, setTopK] = useState<number | string>(search.topK ?? "");
  const [document, setDocument] = useState(search.document ?? "");
  const results = useSearch(buildBody(asset.id, search));
  const { data, error, isFetching } = results;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const next: AssetSearch = {
      tab: "search",
      query,
      ...(topK !== "" && { topK: Number(topK) }),
      ...(document !== "" && { document }),
    };
    const isSame =
      JSON.stringify(buildBody(asset.id, next)) === JSON.stringify(buildBody(asset.id, search));
    if (isSame) void results.refetch();
    else void navigate({ search: next, replace: true });
  };
  return (
    <Stack gap="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={720}>
          <TextInput
            label="Query"
            description="The query of a model or a Retrieve step."
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
            error={fieldError(error, "/query")}
          />
          <Group align="flex-start" grow>
            <TextInput
              label="Document name"
              placeholder="All documents"
              value={document}
              onChange={({ currentTarget }) => setDocument(currentTarget.value)}
              error={fieldError(error, "/filter/documentName")}
            />
            <NumberInput
              label="Passages"
              placeholder="5"
              allowDecimal={false}
              value={topK}
              onChange={setTopK}
              error={fieldError(error, "/topK")}
            />
          </Group>
          <Group>
            <Button type="submit" loading={isFetching}>
              Search
            </Button>
          </Group>
        </Stack>
      </form>
      <ProblemAlert error={error} shownAt={pointers} />
      <div aria-live="polite">
        {data && !error && <SearchResults passages={data} />}
        {search.query === undefined && <Hint asset={asset} />}
      </div>
    </Stack>
  );
};

const Hint = ({ asset: { documentCount } }: { asset: Asset }) =>
  documentCount === 0 ? (
    <EmptyState title="Nothing to search yet">
      The asset has no indexed documents. Add some, then try a search.
    </EmptyState>
  ) : (
    <Text size="sm" c="dimmed">
      Passages are ranked by meaning and by words. The first in both rankings has the score 1.
    </Text>
  );
