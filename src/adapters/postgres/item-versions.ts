import type { ItemVersion, ItemVersions } from '../../ports/item-versions.ts';
import type { Executor } from './connect.ts';
import { createSharedRead } from './shared-read.ts';

const MAX_BATCH = 256;

export function createItemVersions(db: Executor): ItemVersions {
  const newest = createSharedRead<number, ItemVersion | null>({
    async read(items) {
      const rows = await db.execute<ItemVersion & { place: number }>(NEWEST_VERSIONS, [items]);
      const byPlace = new Map(rows.map(({ place, id, version }) => [place, { id, version }]));
      return items.map((_, index) => byPlace.get(index + 1) ?? null);
    },
    max: MAX_BATCH,
  });
  return { newest };
}

const NEWEST_VERSIONS = `-- newest_versions
select k.place::int as place, r.id, r.version from unnest($1::bigint[]) with ordinality as k(item, place)
cross join lateral (select id, version from runs where item_global_id = k.item order by no desc limit 1) r`;
