import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { EmptyState } from "../shared/empty-state.tsx";
import { Markdown } from "../shared/markdown.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { readDocText } from "./doc-text.ts";

const route = getRouteApi("/t/$tenant/docs/$page");

const files = import.meta.glob<string>("../../../docs/*.md", { query: "?raw", import: "default" });

/** Shows a page of the documentation, as it is in the version of the console. */
export const DocPage = () => {
  const { tenant, page } = route.useParams();
  const load = files[`../../../docs/${page}.md`];
  const { data } = useQuery({
    queryKey: ["docs", page],
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => load?.() ?? "",
  });
  if (load === undefined) {
    return (
      <EmptyState
        title="Page not found"
        action={
          <Anchor component={Link} to={`/t/${tenant}/docs/console`}>
            About the console
          </Anchor>
        }
      >
        The documentation of this version has no page {page}.
      </EmptyState>
    );
  }
  if (data === undefined) return <PageLoader />;
  const base = `${location.origin}/console/t/${encodeURIComponent(tenant)}/docs/`;
  const { title, text } = readDocText(data, base);
  return (
    <Page title={title}>
      <Markdown text={text} />
    </Page>
  );
};
