import { z } from 'zod';
import type { GitLabPort, GitLabRelative } from '../../ports/gitlab.ts';
import type { GraphQL } from './graphql.ts';

const Relative = z
  .object({
    iid: z.union([z.string(), z.number()]),
    title: z.string(),
    state: z.string(),
    // Absent counts as confidential: the narrowest audience.
    confidential: z.boolean().nullish(),
    namespace: z.object({ fullPath: z.string() }),
    workItemType: z.object({ name: z.string() }).nullish(),
  })
  .transform(
    ({ iid, title, state, confidential, namespace, workItemType }): GitLabRelative => ({
      reference: `${namespace.fullPath}#${iid}`,
      title,
      state: state.toUpperCase() === 'CLOSED' ? 'closed' : 'opened',
      type: (workItemType?.name ?? 'issue').toLowerCase().replaceAll(' ', '_'),
      confidential: confidential ?? true,
      namespace: namespace.fullPath,
    }),
  );

/** Of the widgets of an item one tells its hierarchy; the others answer empty. With errors nothing is believed. */
const Answer = z.object({
  errors: z.array(z.unknown()).max(0).nullish(),
  data: z.object({
    workItem: z
      .object({
        widgets: z.array(
          z.object({
            parent: Relative.nullish(),
            // Those that the service may not see come as null.
            children: z
              .object({
                nodes: z.array(Relative.nullable()),
                pageInfo: z.object({ hasNextPage: z.boolean() }).nullish(),
              })
              .nullish(),
          }),
        ),
      })
      .nullable(),
  }),
});

const FIELDS = 'iid title state confidential namespace { fullPath } workItemType { name }';

/** What stands above and below an item, which only GraphQL tells. An issue's id is its work item's. */
export function hierarchyCalls(graphql: GraphQL): Pick<GitLabPort, 'hierarchy'> {
  return {
    async hierarchy(itemGlobalId, options) {
      const children = `children(first: 100) { nodes { ${FIELDS} } pageInfo { hasNextPage } }`;
      const widget = `... on WorkItemWidgetHierarchy { parent { ${FIELDS} } ${children} }`;
      const query = `{ workItem(id: "gid://gitlab/WorkItem/${itemGlobalId}") { widgets { ${widget} } } }`;
      const answer = await graphql.ask('hierarchy of an item', Answer, query, options);
      const widgets = answer?.data.workItem?.widgets;
      if (!widgets) return null;
      return {
        parent: widgets.find(({ parent }) => parent != null)?.parent ?? null,
        children: widgets.flatMap((one) => one.children?.nodes ?? []).filter((child) => child !== null),
        more: widgets.some((one) => one.children?.pageInfo?.hasNextPage === true),
      };
    },
  };
}
