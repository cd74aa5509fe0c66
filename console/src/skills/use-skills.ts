import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../../client/client.ts";
import type {
  CreateSkillBody,
  GenerateSkillBody,
  Skill,
  UpdateSkillBody,
} from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";
import { useList } from "../shared/use-list.ts";

const skillPath = "/v1/tenants/{tenant}/skills/{skill}";

/** Lists the skills. */
export const useSkills = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Skill>({
    queryKey: [tenant, "skills"],
    idOf: ({ id }) => id,
    read: (query) =>
      bodyOf(client.GET("/v1/tenants/{tenant}/skills", { params: { path: { tenant }, query } })),
  });
};

/** Reads a skill. */
export const useSkill = (skill: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "skills", skill],
    queryFn: () => bodyOf(client.GET(skillPath, { params: { path: { tenant, skill } } })),
  });
};

/** Drafts a skill from a markdown file; nothing is stored. */
export const useDraftSkill = () => {
  const client = useClient();
  const tenant = useTenant();
  return useMutation({
    mutationFn: (body: GenerateSkillBody) =>
      bodyOf(
        client.POST("/v1/tenants/{tenant}/skills:generate-from-markdown", {
          params: { path: { tenant } },
          body,
        }),
      ),
  });
};

/** Creates a skill. */
export const useCreateSkill = () => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateSkillBody) =>
      bodyOf(client.POST("/v1/tenants/{tenant}/skills", { params: { path: { tenant } }, body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "skills"] }),
  });
};

/** Changes a skill. */
export const useUpdateSkill = (skill: string) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateSkillBody) =>
      bodyOf(client.PUT(skillPath, { params: { path: { tenant, skill } }, body })),
    onSuccess: (changed) => {
      cache.setQueryData([tenant, "skills", skill], changed);
      return cache.invalidateQueries({ queryKey: [tenant, "skills"] });
    },
  });
};

/** Deletes a skill. */
export const useDeleteSkill = (skill: string) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.DELETE(skillPath, { params: { path: { tenant, skill } } }),
    onSuccess: () => {
      cache.removeQueries({ queryKey: [tenant, "skills", skill] });
      return cache.invalidateQueries({ queryKey: [tenant, "skills"] });
    },
  });
};
