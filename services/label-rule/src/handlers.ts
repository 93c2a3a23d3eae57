import type { Deps, Rpcs } from './deps.ts';
import { labelHandlers } from './labels.ts';

/** Declared, and not built yet. */
export const LATER = [
  'listAiLabelRules',
  'getAiLabelRule',
  'createAiLabelRule',
  'updateAiLabelRule',
  'deleteAiLabelRule',
  'backfillAiLabels',
  'listAutoForwardRules',
  'getAutoForwardRule',
  'createAutoForwardRule',
  'updateAutoForwardRule',
  'deleteAutoForwardRule',
  'listAutoForwardLogs',
] as const;

export function createHandlers(deps: Deps): Omit<Rpcs, (typeof LATER)[number]> {
  return labelHandlers(deps);
}
