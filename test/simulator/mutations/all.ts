import { arrivingMutations } from './arriving.ts';
import { feedMutations } from './feed.ts';
import { ingestMutations } from './ingest.ts';
import type { Mutation } from './mutation.ts';
import { sendingMutations } from './sending.ts';
import { syncMutations } from './sync.ts';

export const MUTATIONS: readonly Mutation[] = [
  ...arrivingMutations,
  ...feedMutations,
  ...ingestMutations,
  ...sendingMutations,
  ...syncMutations,
];
