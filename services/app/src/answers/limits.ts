import type { Plan } from '@postroom/contract/plans';
import type { DateTime } from './types.ts';

export interface LimitsAnswer {
  plan: Plan;
  minute: { limit: number; used: number; resetsAt: DateTime | null };
  month: { limit: number; used: number; resetsAt: DateTime | null };
}
