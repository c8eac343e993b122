/** The numbers of the ranking, found on the tuned half of the evaluation (`npm run bench -- locate`) and checked on the other. */
import type { PathKind } from '../path-kind.ts';

export interface Weights {
  /** BM25's saturation and length normalisation. */
  k1: number;
  b: number;
  /** How often a term counts for being in a file's name, its folders, its definitions. */
  name: number;
  folders: number;
  definitions: number;
  /** The same for whole identifiers, which are one definition or one file's name. */
  wholeName: number;
  wholeDefinition: number;
  /** What a file gets on top for being one of the few that define a name; a part of a name. None of more than `rareMost` files gets it. */
  rareDefinition: number;
  rarePart: number;
  rareMost: number;
  /** How much more than its logarithm rarity counts. */
  rarity: number;
  /** What a file that has all the words gets on top. */
  coverage: number;
  /** What a whole identifier weighs beside its parts. */
  whole: number;
  /** A word that stands for another one. */
  related: number;
  /** What a resolved path, frame, name is worth, as a share of the best score by words. */
  path: number;
  frame: number;
  dotted: number;
  /** The closest passage and the phrases found, as shares of the score by words. */
  passage: number;
  phrases: number;
  /** What commits that say the same give to the files they changed; what often changed files get. */
  commits: number;
  churn: number;
  kinds: Record<PathKind, number>;
}

export const WEIGHTS: Weights = {
  k1: 3.5,
  b: 0.7,
  name: 5,
  folders: 8,
  definitions: 1,
  wholeName: 7,
  wholeDefinition: 1,
  rareDefinition: 0.5,
  rarePart: 0.1,
  rareMost: 6,
  rarity: 1.15,
  coverage: 0.1,
  whole: 1,
  related: 0.3,
  path: 1.3,
  frame: 0.8,
  dotted: 0.6,
  passage: 0.55,
  phrases: 0.08,
  commits: 0.4,
  churn: 0.1,
  kinds: {
    code: 1,
    template: 0.8,
    style: 0.7,
    types: 0.6,
    config: 0.55,
    test: 0.3,
    fixture: 0.2,
    docs: 0.3,
    example: 0.4,
    benchmark: 0.35,
    locale: 0.25,
    changelog: 0.15,
    build: 0.6,
    vendored: 0.3,
    generated: 0.1,
    output: 0.25,
    data: 0.3,
  },
};
