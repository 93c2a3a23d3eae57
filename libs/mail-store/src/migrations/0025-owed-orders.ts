import type { MigrationStep } from './step.ts';

/** Only an index: what was owed before has no order, and goes first. */
export const owedOrders: MigrationStep = { title: 'events owed since one moment have an order', parts: [] };
