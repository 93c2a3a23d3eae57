export const PLANS = ['free', 'premium', 'expert'] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  readonly perMinute: number;
  readonly perMonth: number;
  readonly activeKeys: number;
}

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  free: { perMinute: 60, perMonth: 10_000, activeKeys: 2 },
  premium: { perMinute: 300, perMonth: 200_000, activeKeys: 10 },
  expert: { perMinute: 1_000, perMonth: 1_000_000, activeKeys: 50 },
};

/** Returns the plan that applies now. An ended subscription or an unknown plan gives the Free plan. */
export function planInForce(plan: string, endsAt: number | null, now: number): Plan {
  if (endsAt !== null && endsAt <= now) return 'free';
  return PLANS.find((known) => known === plan) ?? 'free';
}

/** Auto-draft and auto-reply need a subscription. */
export function isPaid(plan: Plan): boolean {
  return plan !== 'free';
}
