import type { MigrationStep } from './step.ts';

/** An index by which the forwarder finds emails that were classified and not forwarded. */
export const classificationsByTime: MigrationStep = { title: 'classifications by time', parts: [] };
