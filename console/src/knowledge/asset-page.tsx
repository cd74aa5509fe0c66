import { Button, Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { Asset } from "../../../client/openapi.ts";
import { useAsset, useSyncAsset } from "../asset-queries/use-assets.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { AssetFacts } from "./asset-facts.tsx";
import { AssetMenu } from "./asset-menu.tsx";
import { type AssetTab, parseAssetSearch } from "./asset-search.ts";
import { DocumentsTab } from "./documents-tab.tsx";
import { SearchTab } from "./search-tab.tsx";
import { SubscriptionsTab } from "./subscriptions-tab.tsx";
import { SyncReport } from "./sync-report.tsx";
import { useUploads } from "./use-uploads.ts";

const route = getRouteApi("/t/$tenant/knowledge/assets/$asset");

/** Shows an asset: the state of its index, its documents, a search to try and its subscriptions. */
export const AssetPage = () => {
  const { asset: id } = route.useParams();
  const tenant = useTenant();
  const { data: asset, error } = useAsset(id);
  const sync = useSyncAsset(id);
  if (error && !asset) return <ReadProblem error={error} />;
  if (!asset) return <PageLoader />;
  return (
    <Page
      title={asset.displayName || asset.id}
      back={`/t/${tenant}/knowledge`}
      description={<AssetFacts asset={asset} />}
      actions={<AssetActions asset={asset} sync={sync} />}
    >
      <ReadProblem error={error} />
      <ProblemAlert error={sync.error} />
      {asset.type === null ? (
        <NoSource asset={asset} />
      ) : (
        <>
          <SyncReport asset={asset} />
          <AssetTabs key={asset.id} asset={asset} />
        </>
      )}
    </Page>
  );
};

type AssetActionsProps = { asset: Asset; sync: ReturnType<typeof useSyncAsset> };

const AssetActions = ({ asset, sync }: AssetActionsProps) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay()("assets:write");
  if (!mayWrite) return null;
  return (
    <>
      {asset.type !== null && (
        <Button
          variant="default"
          loading={sync.isPending}
          disabled={asset.status === "Syncing"}
          onClick={() => sync.mutate()}
        >
          Sync now
        </Button>
      )}
      <AssetMenu
        asset={asset}
        onDeleted={() => void navigate({ to: "/t/$tenant/knowledge", params: { tenant } })}
      />
    </>
  );
};

/** A revision of an agent may name an asset that has no documents here. */
const NoSource = ({ asset }: { asset: Asset }) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay()("assets:write");
  const addSource = mayWrite && (
    <Button
      onClick={() =>
        void navigate({
          to: "/t/$tenant/knowledge/new",
          params: { tenant },
          search: { id: asset.id },
        })
      }
    >
      Add a source
    </Button>
  );
  return (
    <EmptyState title="No source" action={addSource}>
      This asset has no documents to search. Add a source.
    </EmptyState>
  );
};

const AssetTabs = ({ asset }: { asset: Asset }) => {
  const { tab = "documents" } = route.useSearch();
  const navigate = route.useNavigate();
  const mayReadWebhooks = useMay()("integrations:read");
  // Uploads continue, and stay listed, while another tab is shown.
  const uploads = useUploads(asset.id);
  const open = (value: string | null): void => {
    const chosen: AssetTab | undefined = parseAssetSearch({ tab: value }).tab;
    void navigate({
      search: ({ tab: _, ...others }) => ({ ...others, ...(chosen && { tab: chosen }) }),
      replace: true,
    });
  };
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="documents">Documents</Tabs.Tab>
        <Tabs.Tab value="search">Try a search</Tabs.Tab>
        {mayReadWebhooks && <Tabs.Tab value="subscriptions">Subscriptions</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="documents">
        <DocumentsTab asset={asset} uploads={uploads} />
      </Tabs.Panel>
      <Tabs.Panel value="search">
        <SearchTab asset={asset} />
      </Tabs.Panel>
      {mayReadWebhooks && (
        <Tabs.Panel value="subscriptions">
          <SubscriptionsTab asset={asset} />
        </Tabs.Panel>
      )}
    </Tabs>
  );
};
