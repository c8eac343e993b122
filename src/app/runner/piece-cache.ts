/** Parsed pieces by their stored text: thousands of runs share a few (D9). */
import { loadPiece } from '../../domain/piece/load.ts';
import type { Piece, PieceBundle } from '../../domain/piece/types.ts';

const MAX_KEPT = 100;

/** Answers null for a piece that this version cannot read. */
export function createPieceCache(): (run: { piece: PieceBundle }) => Piece | null {
  const known = new Map<string, Piece | null>();
  /** The store hands out one object for one bundle. */
  const seen = new WeakMap<PieceBundle, Piece | null>();
  return ({ piece: bundle }) => {
    const same = seen.get(bundle);
    if (same !== undefined) return same;
    const piece = byText(bundle);
    seen.set(bundle, piece);
    return piece;
  };

  function byText(bundle: PieceBundle): Piece | null {
    const key = JSON.stringify([bundle.name, bundle.text, bundle.files]);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= MAX_KEPT) known.delete(known.keys().next().value ?? '');
    const { piece } = loadPiece(bundle);
    known.set(key, piece);
    return piece;
  }
}
