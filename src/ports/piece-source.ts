/** Where pieces come from: the operator's folder (spec 1: File). */
import type { PieceBundle } from '../domain/piece/types.ts';

export interface PieceSource {
  /** The piece's text with every file it names; null when there is none of that name. Throws `PermanentFailure` on unreadable files. */
  load(name: string): Promise<PieceBundle | null>;
}
