import { arrivingMutations } from './arriving.ts';
import { callMutations } from './calls.ts';
import { feedMutations } from './feed.ts';
import { ingestMutations } from './ingest.ts';
import type { Mutation } from './mutation.ts';
import { ruleMutations } from './rules.ts';
import { sendingMutations } from './sending.ts';
import { syncMutations } from './sync.ts';
import { webhookMutations } from './webhooks.ts';

export const MUTATIONS: readonly Mutation[] = [
  ...arrivingMutations,
  ...callMutations,
  ...feedMutations,
  ...ingestMutations,
  ...ruleMutations,
  ...sendingMutations,
  ...syncMutations,
  ...webhookMutations,
];
