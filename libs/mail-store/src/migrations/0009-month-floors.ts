import type { MigrationStep } from './step.ts';

/** A collection of its own, filled by gateways as they count. */
export const monthFloors: MigrationStep = { title: 'floors of the months that Redis counts', parts: [] };
