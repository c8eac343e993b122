/** Small questions about a directed graph given as `node → nodes it depends on`; unknown nodes are ignored. */

/** Values that occur more than once, each once. */
export function duplicates(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

/** For each node every other node it depends on, directly or through others. In a cycle a node reaches itself. */
export function transitive(graph: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const reach = new Map<string, Set<string>>();
  for (const node of graph.keys()) {
    const seen = new Set<string>();
    const open = [...(graph.get(node) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next) || !graph.has(next)) continue;
      seen.add(next);
      open.push(...(graph.get(next) ?? []));
    }
    reach.set(node, seen);
  }
  return reach;
}

/** A cycle as the nodes on it, the first repeated at the end; null: there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const reach = transitive(graph);
  for (const [start, reached] of reach) {
    if (!reached.has(start)) continue;
    const path = [start];
    const seen = new Set(path);
    let node = start;
    // Follow any dependency from which one gets back to the start; the shortest is not needed.
    while (!graph.get(node)?.includes(start)) {
      const next = graph.get(node)?.find((id) => !seen.has(id) && reach.get(id)?.has(start));
      if (next === undefined) break;
      seen.add(next);
      path.push(next);
      node = next;
    }
    return [...path, start];
  }
  return null;
}

/** Nodes in layers: each layer depends on earlier ones only. Nodes on a cycle come in a last layer. */
export function layers(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const left = new Set(graph.keys());
  const result: string[][] = [];
  while (left.size > 0) {
    const ready = [...left].filter((node) => !(graph.get(node) ?? []).some((id) => left.has(id)));
    const layer = ready.length > 0 ? ready : [...left];
    for (const node of layer) left.delete(node);
    result.push(layer);
  }
  return result;
}
