import { SearchedAssets } from "./searched-assets.tsx";
import type { StepForm } from "./step-form.ts";
import type { StepSurroundings } from "./step-surroundings.ts";
import { NumberMember, TextMember } from "./text-fields.tsx";
import { JsonMember } from "./value-member.tsx";

type RetrieveMembersProps = { form: StepForm; surroundings: StepSurroundings };

/** Fields of a step that searches assets. */
export const RetrieveMembers = ({ form, surroundings }: RetrieveMembersProps) => (
  <>
    <TextMember
      form={form}
      name="query"
      label="Query"
      description="What to search for, with {% %} expressions."
      minRows={2}
      isRequired
    />
    <SearchedAssets
      form={form}
      draft={surroundings.draft}
      description="Assets of the revision. If empty, all are searched."
    />
    <NumberMember
      label="Max passages"
      placeholder="5"
      value={form.step.topK}
      onChange={(value) => form.set("topK", value)}
      error={form.errorAt("/topK")}
    />
    <JsonMember
      form={form}
      name="filter"
      label="Filter"
      description='Narrows the search by name or metadata, such as {"documentName": "faq.md"}.'
    />
  </>
);
