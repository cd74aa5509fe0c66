import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Asset } from "../../../client/openapi.ts";
import { useSourceTypes } from "../asset-queries/use-assets.ts";
import { useTenant } from "../session/tenant.ts";
import { Facts } from "../shared/facts.tsx";
import { formatCount, formatKnownCost } from "../shared/format.ts";
import { Time } from "../shared/time.tsx";
import { AssetStatus } from "./asset-status.tsx";
import { typeLabel } from "./source-types.ts";

/** Facts about an asset: its state, source, model and cost. */
export const AssetFacts = ({ asset }: { asset: Asset }) => {
  const { id, type, refresh, embedding, lastSyncedAt, changedAt } = asset;
  const types = useSourceTypes().data ?? [];
  return (
    <Facts>
      <AssetStatus asset={asset} />
      <span>{id}</span>
      {type !== null && <span>{typeLabel(types, type)}</span>}
      {refresh !== null && <span>Refreshed {refresh}</span>}
      {embedding !== null && (
        <span>
          Embedded by {embedding.providerId}, {embedding.model}
        </span>
      )}
      {type !== null && (
        <span>
          {formatCount(asset.embeddedTokens)} tokens embedded,{" "}
          {formatKnownCost(asset.embeddingCost, asset.embeddingPriced)}
        </span>
      )}
      {lastSyncedAt !== null && (
        <span>
          Last synced <Time value={lastSyncedAt} />
        </span>
      )}
      {changedAt !== null && (
        <span>
          Source changed <Time value={changedAt} />
        </span>
      )}
      <NamedBy asset={asset} />
    </Facts>
  );
};

const NamedBy = ({ asset: { agentId, agentRevision } }: { asset: Asset }) => {
  const tenant = useTenant();
  if (agentId === null) return null;
  return (
    <span>
      Used by{" "}
      <Anchor
        size="sm"
        component={Link}
        to={`/t/${tenant}/agents/${agentId}/flow?revision=${agentRevision}`}
      >
        {agentId}, revision {agentRevision}
      </Anchor>
    </span>
  );
};
